/// The requests of a session (the protocol's sections 1.2 to 1.4, 2.3, 3.1 and 5.1).
extension WebimSession {
  func pollRequest(_ step: Step, now: Double) -> WireRequest {
    switch step {
    case .discovery: get("/api/visitor/meta", [], saysVersion: true)
    case .settings:
      get(
        account.configPath + "/" + FormCoding.encodePathSegment(account.location),
        [WireRequest.Parameter("jsonp", "false")], saysVersion: true)
    case .initialization: get("/l/v/m/init", initParameters, saysVersion: true)
    case .poll: deltaRequest(now: now)
    }
  }

  func historyRequest(_ kind: HistoryReader.Request) -> WireRequest {
    switch kind {
    case .changes:
      let since = memory.historyRevision.map { [WireRequest.Parameter("since", $0)] } ?? []
      return get(account.historyPath, since + credentialParameters)
    case .page(let time):
      return get(
        "/l/v/m/history", [WireRequest.Parameter("before-ts", String(time))] + credentialParameters)
    }
  }

  func actionRequest(_ form: [WireRequest.Parameter]) -> WireRequest {
    WireRequest(
      .post, "/l/v/m/action", form: form + credentialParameters, headers: headers(),
      timeout: configuration.requestTimeout)
  }

  private func deltaRequest(now: Double) -> WireRequest {
    let time = Int(exactly: (now * 1000).rounded()) ?? 0
    var request = get(
      "/l/v/m/delta",
      [WireRequest.Parameter("since", since), WireRequest.Parameter("ts", String(time))]
        + credentialParameters)
    request.timeout = configuration.pollTimeout
    return request
  }

  private var initParameters: [WireRequest.Parameter] {
    let parameters: [(String, String?)] = [
      ("event", "init"), ("device-id", memory.deviceID), ("platform", configuration.platform),
      ("location", account.location), ("title", configuration.title), ("since", "0"),
      ("respond-immediately", "1"), ("visit-session-id", memory.visitSessionID),
      ("visitor", memory.visitor), ("visitor-ext", configuration.visitorFields),
      ("provided_auth_token", configuration.authorizationToken),
    ]
    return parameters.compactMap { name, value in value.map { WireRequest.Parameter(name, $0) } }
  }

  private var credentialParameters: [WireRequest.Parameter] {
    guard let credentials else { return [] }
    let token = credentials.authToken.map { [WireRequest.Parameter("auth-token", $0)] } ?? []
    return [WireRequest.Parameter("page-id", credentials.pageID)] + token
  }

  private func get(
    _ path: String, _ query: [WireRequest.Parameter], saysVersion: Bool = false
  ) -> WireRequest {
    WireRequest(
      .get, path, query: query, headers: headers(saysVersion: saysVersion),
      timeout: configuration.requestTimeout)
  }

  /// The configured headers come last and take the place of ours.
  private func headers(saysVersion: Bool = false) -> [WireRequest.Parameter] {
    var ours = [WireRequest.Parameter("User-Agent", configuration.userAgent)]
    if saysVersion { ours.append(WireRequest.Parameter("x-webim-sdk-version", configuration.sdkVersion)) }
    let taken = configuration.headers.map { $0.name.lowercased() }
    return ours.filter { !taken.contains($0.name.lowercased()) } + configuration.headers
  }
}
