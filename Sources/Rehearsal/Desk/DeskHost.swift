import Dialects
import Script

/// What a desk's player needs of the rehearsal around it.
protocol DeskHost: AnyObject {
  /// How things stand.
  var service: WebimService { get }
  func perform(_ command: DeskCommand) -> Result<DeskAnswer, DeskError>
  /// The desk has written a message.
  func messageSaid(_ message: ServiceMessage, visitor: String?)
  func deskDid(_ event: RehearsalReport.Event, visitor: String?, chat: WebimService.ChatID?)
  func add(_ fault: Fault)
  func clearFaults()
  func goOffline(for seconds: Double)
  func deskFailed(_ failure: ScriptFailure, visitor: String?, chat: WebimService.ChatID?)
}
