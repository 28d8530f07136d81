import CCurl
import Glibc

/// Where a link's requests go, and how.
struct CurlTarget {
  /// The service's URL without the slash at its end.
  let base: String
  let host: String
  let options: LinkOptions

  init(base: String, options: LinkOptions) {
    var base = Substring(base)
    if base.last == "/" { base.removeLast() }
    self.base = String(base)
    self.options = options
    var rest = base
    if let scheme = base.firstRange(of: "://") { rest = base[scheme.upperBound...] }
    rest = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    if let user = rest.lastIndex(of: "@") { rest = rest[rest.index(after: user)...] }
    if rest.first == "[", let end = rest.firstIndex(of: "]") {
      host = String(rest[rest.index(after: rest.startIndex)..<end])
    } else {
      host = String(rest.prefix { $0 != ":" })
    }
  }
}

/// One easy handle of libcurl, used again and again, and what its present transfer has brought so far.
final class CurlTransfer {
  let easy: UnsafeMutableRawPointer
  /// That of the connection opened last; -1 before the first.
  private(set) var descriptor: Int32 = -1
  private let target: CurlTarget
  private var headerList: UnsafeMutablePointer<curl_slist>?
  private var listedHeaders: [HTTPHeader]?
  private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  // Of the present transfer
  private var headers: [HTTPHeader] = []
  private var body: [UInt8] = []
  private var isTooLarge = false
  private var mayRepeat = true
  private var wasStarted = false
  private var sentBefore = 0
  private var isHangingUp = false

  /// - Parameters:
  ///   - scope: What tells this lane's connection from all others of the same multi handle. libcurl keeps
  ///     connections of different address scopes apart; the number itself has no meaning outside of
  ///     link-local IPv6.
  ///   - bufferBytes: How much is read at once; held while a request is on its way.
  init(target: CurlTarget, scope: Int, bufferBytes: Int) {
    _ = curlReady
    guard let easy = curl_easy_init() else { preconditionFailure("libcurl has no memory for a handle") }
    self.easy = easy
    self.target = target
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    setManners(scope: scope, bufferBytes: bufferBytes)
    setCallbacks()
  }

  deinit {
    curl_easy_cleanup(easy)
    curl_slist_free_all(headerList)
    errorText.deallocate()
  }

  private func setManners(scope: Int, bufferBytes: Int) {
    let options = target.options
    set(CURLOPT_NOSIGNAL, 1)
    // Giving up a request does not wait for the thread that looks its host's name up.
    set(CURLOPT_QUICK_EXIT, 1)
    set(CURLOPT_ADDRESS_SCOPE, scope)
    set(CURLOPT_BUFFERSIZE, bufferBytes)
    set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    set(CURLOPT_PATH_AS_IS, 1)
    set(CURLOPT_CONNECTTIMEOUT_MS, Int(max(0.001, options.connectTimeout) * 1000))
    set(CURLOPT_SSL_VERIFYPEER, options.insecure ? 0 : 1)
    set(CURLOPT_SSL_VERIFYHOST, options.insecure ? 0 : 2)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    if let certificates = options.certificates { set(CURLOPT_CAINFO, certificates) }
    if !options.proxyFromEnvironment {
      set(CURLOPT_PROXY, "")
      set(CURLOPT_NOPROXY, "*")
    }
  }

  private func setCallbacks() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    visitant_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
    visitant_curl_set_pointer(easy, CURLOPT_WRITEDATA, context)
    visitant_curl_set_pointer(easy, CURLOPT_HEADERDATA, context)
    visitant_curl_set_pointer(easy, CURLOPT_PREREQDATA, context)
    visitant_curl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, context)
    visitant_curl_set_write_function(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      guard let bytes, let context else { return 0 }
      let length = size * count
      return transfer(context).took(body: UnsafeRawBufferPointer(start: bytes, count: length)) ? length : 0
    }
    visitant_curl_set_write_function(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      guard let bytes, let context else { return 0 }
      let length = size * count
      return transfer(context).took(header: UnsafeRawBufferPointer(start: bytes, count: length)) ? length : 0
    }
    visitant_curl_set_prerequest_function(easy) { context, _, _, _, _ in
      guard let context, transfer(context).starts() else { return CURL_PREREQFUNC_ABORT }
      return CURL_PREREQFUNC_OK
    }
    visitant_curl_set_open_socket_function(easy) { context, _, address in
      guard let context, let address, transfer(context).mayConnect else { return CURL_SOCKET_BAD }
      return transfer(context).open(address)
    }
  }

  private func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
    descriptor = visitant_curl_open_socket(
      address, Int32(clamping: target.options.keepAliveSeconds),
      Int32(clamping: target.options.keepAliveProbes))
    return descriptor
  }

  private func set(_ option: CURLoption, _ value: Int) {
    visitant_curl_set_long(easy, option, value)
  }

  private func set(_ option: CURLoption, _ value: String) {
    visitant_curl_set_string(easy, option, value)
  }
}

// MARK: Request

extension CurlTransfer {
  /// Readies the handle for a request.
  ///
  /// - Returns: What is wrong with the request, if it cannot be sent.
  func prepare(_ request: HTTPRequest) -> String? {
    forgetPrevious()
    guard request.target.utf8.first == UInt8(ascii: "/") else { return "the request's target has no path" }
    if let trouble = listHeaders(of: request) { return trouble }
    set(CURLOPT_URL, target.base + request.target)
    visitant_curl_set_list(easy, CURLOPT_HTTPHEADER, headerList)
    switch request.method {
    case .get:
      mayRepeat = true
      set(CURLOPT_HTTPGET, 1)
    case .post:
      mayRepeat = false
      set(CURLOPT_POST, 1)
      visitant_curl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, request.body.count)
      request.body.withUnsafeBytes { bytes in
        // An empty array has no address, and libcurl takes that for "ask for the body".
        if let start = bytes.baseAddress, !bytes.isEmpty {
          visitant_curl_set_bytes(easy, CURLOPT_COPYPOSTFIELDS, start)
        } else {
          set(CURLOPT_COPYPOSTFIELDS, "")
        }
      }
    }
    return nil
  }

  /// Readies the handle to close the connection that its last transfer has left open.
  ///
  /// libcurl has no call for that. A transfer that finds the connection and is not allowed to start closes
  /// it; one that finds none is not allowed to open one.
  func prepareHangUp() {
    forgetPrevious()
    isHangingUp = true
    set(CURLOPT_HTTPGET, 1)
    set(CURLOPT_URL, target.base + "/")
  }

  private func forgetPrevious() {
    headers = []
    body = []
    isTooLarge = false
    mayRepeat = true
    wasStarted = false
    isHangingUp = false
    errorText[0] = 0
  }

  /// Sets exactly the request's headers: what libcurl adds by itself is taken away.
  private func listHeaders(of request: HTTPRequest) -> String? {
    guard request.headers != listedHeaders else { return nil }
    for header in request.headers where !header.isSendable { return "a header with a line end or no name" }
    curl_slist_free_all(headerList)
    headerList = nil
    for header in request.headers {
      let line = header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)"
      headerList = curl_slist_append(headerList, line)
    }
    for name in ["Accept", "Content-Type", "Expect"] where request.headers[name] == nil {
      headerList = curl_slist_append(headerList, "\(name):")
    }
    listedHeaders = request.headers
    return nil
  }
}

extension HTTPHeader {
  fileprivate var isSendable: Bool {
    let forbidden: [UInt8] = [0, 10, 13]
    guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: ":")), !name.utf8.contains(UInt8(ascii: ";")) else {
      return false
    }
    return !name.utf8.contains(where: forbidden.contains) && !value.utf8.contains(where: forbidden.contains)
  }
}

// MARK: Answer

extension CurlTransfer {
  /// What the transfer has come to. Its answer is handed over once.
  func result(_ code: CURLcode) -> Result<HTTPResponse, LinkError> {
    defer {
      headers = []
      body = []
    }
    if code == CURLE_OK {
      let status = visitant_curl_long_info(easy, CURLINFO_RESPONSE_CODE)
      return .success(HTTPResponse(status: status, headers: headers, body: body))
    }
    return .failure(failure(code))
  }

  /// Whether the far end may have got the request, as far as it is known now.
  var mayHaveBeenDelivered: Bool {
    wasStarted && sentBytes > sentBefore
  }

  /// What libcurl has sent of requests, those to a proxy too.
  private var sentBytes: Int { visitant_curl_long_info(easy, CURLINFO_REQUEST_SIZE) }

  private func failure(_ code: CURLcode) -> LinkError {
    if isTooLarge {
      return error(.tooLarge, "the answer is longer than \(target.options.maxResponseBytes) bytes")
    }
    if !mayConnect, code == CURLE_COULDNT_CONNECT || code == CURLE_ABORTED_BY_CALLBACK {
      return error(.closed, "the connection was closed without an answer")
    }
    if code == CURLE_RECV_ERROR, visitant_curl_long_info(easy, CURLINFO_HTTP_CONNECTCODE) >= 300 {
      return error(.proxy, String(cString: errorText))
    }
    let said = String(cString: errorText)
    return error(LinkError.Code(code), said.isEmpty ? String(cString: curl_easy_strerror(code)) : said)
  }

  private func error(_ code: LinkError.Code, _ detail: String) -> LinkError {
    LinkError(code: code, host: target.host, detail: detail, mayHaveBeenDelivered: mayHaveBeenDelivered)
  }

  fileprivate func took(body bytes: UnsafeRawBufferPointer) -> Bool {
    guard body.count + bytes.count <= target.options.maxResponseBytes else {
      isTooLarge = true
      return false
    }
    body.append(contentsOf: bytes)
    return true
  }

  fileprivate func took(header bytes: UnsafeRawBufferPointer) -> Bool {
    // Every answer begins anew, the one that only says "continue" too.
    if bytes.starts(with: "HTTP/".utf8) {
      headers = []
      return true
    }
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return true }
    guard headers.count < 256 else { return false }
    let name = String(decoding: bytes[..<colon], as: UTF8.self)
    headers.append(HTTPHeader(name: name, value: trimmed(bytes[(colon + 1)...])))
    return true
  }

  /// Called before each try to send the request on a connection that stands.
  fileprivate func starts() -> Bool {
    guard mayConnect else { return false }
    if !wasStarted { sentBefore = sentBytes }
    wasStarted = true
    return true
  }

  /// Whether a connection may be opened. libcurl sends a request once more when a kept connection ends
  /// without an answer; what is not a mere question might then be done twice.
  fileprivate var mayConnect: Bool { !isHangingUp && (mayRepeat || !mayHaveBeenDelivered) }
}

/// The transfer behind a callback's context. It outlives its handle's callbacks: it owns the handle.
private func transfer(_ context: UnsafeMutableRawPointer) -> CurlTransfer {
  Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
}

/// A header's value without the blanks around it.
private func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
  let blanks: [UInt8] = [9, 10, 13, 32]
  var bytes = bytes
  while let first = bytes.first, blanks.contains(first) { bytes.removeFirst() }
  while let last = bytes.last, blanks.contains(last) { bytes.removeLast() }
  return String(decoding: bytes, as: UTF8.self)
}

/// libcurl's own start, once in a process.
private let curlReady: Bool = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

extension LinkError.Code {
  /// The meaning of libcurl's code for a visitor.
  init(_ code: CURLcode) {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: self = .unresolved
    case CURLE_COULDNT_CONNECT: self = .refused
    case CURLE_OPERATION_TIMEDOUT: self = .timedOut
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: self = .proxy
    case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_SEND_ERROR, CURLE_RECV_ERROR: self = .closed
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_USE_SSL_FAILED:
      self = .tls
    default: self = .other
    }
  }
}
