extension WebimService.AccountConfig {
  /// A setting that applications know.
  package struct Key: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
      case flag, number, text
    }

    package let name: String
    package let kind: Kind
  }

  /// All settings that applications read, and those that this service obeys (the protocol's section 9.1).
  package static let keys =
    flags.map { Key(name: $0, kind: .flag) } + numbers.map { Key(name: $0, kind: .number) }
    + texts.map { Key(name: $0, kind: .text) }

  private static let flags = [
    "web_and_mobile_quoting", "visitor_message_editing", "rate_operator", "surveys", "visitor_upload_file",
    "check_visitor_auth", "force_start_chat_on_visitor_message", "show_visitor_rate_operator_button",
    "disabling_message_input_field", "show_processing_personal_data_checkbox",
    "personal_data_agreement_confirmation_mandatory", "multilang", "rate_operator_by_click_on_avatar",
    "force_visitor_disable", "operator_status_timer", "open_chat_in_new_tab_for_mobile", "teleport",
    "hide_referrer", "track_visitor_typing", "chatting_timer", "use_emoji_annotations",
    "messages_translator", "visitor_tracking", "visitor_websockets", "offline_chat_processing",
  ]

  private static let numbers = [
    "max_visitor_upload_file_size", "visitor_enabling_probability", "default_survey_id",
    "file_url_expiring_timeout", "operator_check_status_online",
  ]

  private static let texts = [
    "allowed_upload_file_types", "visitor_hints_api_endpoint", "processing_personal_data_url", "rate_form",
    "rated_entity", "visitor_segment", "logo", "client_php_url", "default_lang", "privacy_policy_url",
    "default_phone_number", "default_prompter_id",
  ]
}
