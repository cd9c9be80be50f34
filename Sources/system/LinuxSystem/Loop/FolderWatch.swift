// SPDX-License-Identifier: MIT
import CLinux

/// Reports that files were added to a folder or removed from it.
package final class FolderWatch {
    private let loop: EventLoop
    private let descriptor: OwnedDescriptor?
    private var source: EventLoop.Source?

    /// Creates a watch. If the folder does not exist, the watch is not active and reports nothing.
    package init(_ folder: String, loop: EventLoop, changed: @escaping () -> Void) {
        self.loop = loop
        let number = linux_folder_watch(folder)
        guard number >= 0 else {
            descriptor = nil
            return
        }
        descriptor = OwnedDescriptor(adopting: number)
        // This reference is unowned, because `deinit` removes the source.
        source = try? loop.add(number, events: .readable) { [unowned self] _ in
            if linux_folder_changes(number) == 0 { stop() }
            changed()
        }
    }

    deinit { stop() }

    /// Whether changes are reported. This ends when the folder itself is removed.
    package var isActive: Bool { source != nil }

    private func stop() {
        if let source { loop.remove(source) }
        source = nil
    }
}
