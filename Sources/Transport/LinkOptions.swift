/// How links over sockets behave.
package struct LinkOptions: Equatable, Sendable {
  /// A file of certificates to trust in place of the system's.
  package var certificates: String?
  /// Whether any certificate will do.
  package var insecure = false
  /// Whether the usual environment variables (`https_proxy` and its like) name a proxy.
  package var proxyFromEnvironment = false
  /// The longest wait for a connection, in seconds.
  package var connectTimeout: Double = 10
  /// The longest body of an answer, in bytes.
  package var maxResponseBytes = 16 << 20
  /// How long an action connection without a request stays open, in seconds.
  package var idleActionSeconds: Double = 5
  /// How long a connection is silent before the far end is probed, and between probes, in seconds.
  package var keepAliveSeconds = 15
  /// How many probes without an answer end a connection.
  package var keepAliveProbes = 3

  package init() {}
}
