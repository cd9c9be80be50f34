// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GestureTestSupport

/// The configuration in README.md on the panel of the demonstration.
enum ReadmeExample {
    static let size = PanelSize(
        widthPixels: 1920, heightPixels: 1080, widthMillimeters: 332, heightMillimeters: 187)

    static var regions: [Region] {
        let block = Document("README.md")?.blocks.first { $0.language == "toml" }
        return ConfigurationReader.read(block?.text ?? "").configuration?.regions(for: size).regions ?? []
    }
}
