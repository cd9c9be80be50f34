# SPDX-License-Identifier: MIT
################################################################################
#
# gestured
#
################################################################################
# For buildroot-swift, as package/gestured of an external tree. Buildroot has not built it: Tests/PackagingTests only checks its
# versions, and that make can read it. It builds the daemon and the tool without the bridges, from the source with vendor/ that
# `scripts/release source` packs.

GESTURED_VERSION = 0.1.0
GESTURED_SITE = $(call qstrip,$(BR2_PACKAGE_GESTURED_SITE))
GESTURED_SOURCE = gestured-$(GESTURED_VERSION).tar.gz
GESTURED_LICENSE = MIT, Apache-2.0 with runtime library exception
GESTURED_LICENSE_FILES = LICENSE packaging/THIRD-PARTY.md
GESTURED_DEPENDENCIES = host-pkgconf acl jansson libevdev libyaml tomlplusplus udev
GESTURED_BUILDDIR = $(@D)/.build/$(if $(BR2_ENABLE_RUNTIME_DEBUG),debug,release)

# Builds one product after the other, because only gesturectl may link Foundation.
define GESTURED_BUILD_CMDS
	cd $(@D) && for program in gestured gesturectl; do \
		PATH=$(BR_PATH):$(HOST_SWIFT_SUPPORT_DIR)/bin GESTURED_VENDORED=1 \
		$(SWIFT_BIN) build --destination $(SWIFT_DESTINATION_FILE) \
			--configuration $(if $(BR2_ENABLE_RUNTIME_DEBUG),debug,release) --product $$program || exit 1; \
	done
endef

# Buildroot strips the programs, and cannot run them to write their completions.
define GESTURED_INSTALL_TARGET_CMDS
	$(INSTALL) -D -m 755 -t $(@D)/install/stripped $(GESTURED_BUILDDIR)/gestured $(GESTURED_BUILDDIR)/gesturectl
	BUILT=$(@D)/install PREFIX=/usr SYSCONFDIR=/etc DESTDIR=$(TARGET_DIR) $(@D)/scripts/install install daemon
endef

define GESTURED_USERS
	gestured -1 gestured -1 * - - - Touch gesture daemon
endef

$(eval $(swift-package))
