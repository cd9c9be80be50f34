// SPDX-License-Identifier: MIT
import Foundation
import GestureVocabulary

// Writes the generated files of the project in the current folder, and prints the paths of those that have changed.
let project = Project(FileManager.default.currentDirectoryPath)
do {
    for file in GeneratedFile.all where try file.update(in: project) { print(file.path) }
} catch {
    FileHandle.standardError.write(Data("vocabulary: \(error)\n".utf8))
    exit(1)
}
