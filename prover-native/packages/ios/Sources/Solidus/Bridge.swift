import CSolidus
import Foundation

/// The bridge of the native library: an operation's number and bytes in, bytes out.
public enum Bridge {
  /// The operation of the wallet's core, and that of proofs, which takes seconds and belongs on a thread of its own.
  public static let walletStep: Int32 = 100
  public static let prove: Int32 = 70

  /// A refusal: a code of the library and a detail without secrets.
  public struct Refusal: Error {
    public let code: UInt16
    public let detail: String
  }

  /// The result of an operation. The request is cleared, because it may hold secrets; the caller clears the result.
  public static func invoke(_ operation: Int32, _ request: inout Data) throws -> Data {
    var length = 0
    let reply = request.withUnsafeBytes { bytes in
      solidus_invoke(operation, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, &length)
    }
    request.resetBytes(in: request.startIndex..<request.endIndex)
    guard let reply, length >= 2 else { throw Refusal(code: 1, detail: "no reply") }
    defer { solidus_release(reply, length) }
    let code = UInt16(reply[0]) << 8 | UInt16(reply[1])
    let result = Data(bytes: reply + 2, count: length - 2)
    guard code == 0 else { throw Refusal(code: code, detail: String(decoding: result, as: UTF8.self)) }
    return result
  }
}
