// SPDX-License-Identifier: MIT
#if MQTT
import BridgeProgram
import LinuxSystem

extension MQTTSettings.Secret {
    /// Returns the first line of the secret's file.
    func read() throws(BrokerError) -> String {
        let path: String
        switch self {
        case .file(let file): path = file
        case .credential(let name):
            guard let folder = Environment.value("CREDENTIALS_DIRECTORY") else {
                throw BrokerError(cause: "systemd has not passed credential \"\(name)\"; add LoadCredential=\(name):…")
            }
            path = folder + "/" + name
        }
        do throws(ConfigurationFileError) {
            let bytes = try ConfigurationFiles.read(path) ?? []
            return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != 0 }, as: UTF8.self)
        } catch {
            throw BrokerError(cause: error.description)
        }
    }
}
#endif
