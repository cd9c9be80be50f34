// SPDX-License-Identifier: MIT

/** A configuration that contains comments, subtables and dotted keys. */
export const SITE = `# The site's own file.
version = 1  # of the format

[[region]]          # the button
id = "ok"
shape = { rect = [0, "10%", "40mm", 20] } # to scale
gestures = [
  "press", # first
  { type = "swipe", name = "page", min_distance = "12mm" },
  "tap",
]

# The map
# of the town
[[region]]
id = 'map'
parent = "ok"
shape.edge = "left"
shape.width = "5mm"
[region.defaults.tap]
slop = "4mm"

[[scene]]
id = "shop"
regions = ["ok", "map"]
`;
