// swift-tools-version: 6.2
import PackageDescription

/// What every Swift target of ours is held to.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

/// The same for the C and C++ of ours.
let strictC: [CSetting] = [.treatAllWarnings(as: .error)]
let strictCXX: [CXXSetting] = [.treatAllWarnings(as: .error)]

/// Targets from the inside out: an arrow points only at what stands above it.
let package = Package(
  name: "visitant",
  products: [
    .executable(name: "visitant", targets: ["visitant"]),
    .executable(name: "visitant-bench", targets: ["visitant-bench"]),
  ],
  targets: [
    // System libraries: a module map and a shim, nothing else.
    .systemLibrary(name: "CLua", pkgConfig: "lua5.4", providers: [.apt(["liblua5.4-dev"])]),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CEpoll"),

    // C of ours: simdjson behind a C door, and the only place where Lua may jump.
    .target(
      name: "CJSON", cxxSettings: strictCXX, linkerSettings: [.linkedLibrary("simdjson")]),
    .target(name: "CLuaBridge", dependencies: ["CLua"], cSettings: strictC),
    .target(name: "CAllocations", cSettings: strictC),

    // The model and the wire.
    // libm: without Foundation nothing else brings the rounding functions of Double.
    .target(
      name: "JSON", dependencies: ["CJSON"], swiftSettings: strict, linkerSettings: [.linkedLibrary("m")]),
    .target(name: "Chat", dependencies: ["JSON"], swiftSettings: strict),
    .target(name: "Dialects", dependencies: ["Chat", "JSON"], swiftSettings: strict),
    .target(name: "Transport", dependencies: ["CCurl", "CEpoll", "CMicroHTTPD"], swiftSettings: strict),
    .target(name: "Store", dependencies: ["CSQLite"], swiftSettings: strict),

    // The script's side.
    .target(name: "Lua", dependencies: ["CLuaBridge", "JSON"], swiftSettings: strict),
    .target(
      name: "Script", dependencies: ["Lua", "JSON"],
      resources: [.embedInCode("shared.lua")], swiftSettings: strict),
    .target(
      name: "Bot", dependencies: ["Script", "Chat", "JSON", "Lua"],
      resources: [.embedInCode("bot.lua")], swiftSettings: strict),

    // Both ends of a conversation.
    .target(
      name: "Hosting", dependencies: ["Bot", "Chat", "Dialects", "JSON", "Script", "Store", "Transport"],
      swiftSettings: strict),
    .target(
      name: "Rehearsal", dependencies: ["Chat", "Dialects", "JSON", "Lua", "Script", "Transport"],
      resources: [.embedInCode("desk.lua"), .embedInCode("builtin_desk.lua")], swiftSettings: strict),

    // The command line.
    .target(
      name: "Commands",
      dependencies: [
        "Bot", "Chat", "Dialects", "Hosting", "JSON", "Lua", "Rehearsal", "Script", "Store", "Transport",
      ],
      swiftSettings: strict),
    .executableTarget(name: "visitant", dependencies: ["Commands"], swiftSettings: strict),
    .executableTarget(
      name: "visitant-bench",
      dependencies: ["CAllocations", "Hosting", "JSON", "Script", "Transport"], swiftSettings: strict),

    // Tests, one target for each above, and what they share.
    .target(
      name: "TestSupport", dependencies: ["Chat", "JSON", "Transport"], path: "Tests/TestSupport",
      swiftSettings: strict),
    .testTarget(name: "JSONTests", dependencies: ["JSON", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "ChatTests", dependencies: ["Chat", "JSON", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "DialectsTests", dependencies: ["Dialects", "Chat", "JSON", "TestSupport"],
      swiftSettings: strict),
    .testTarget(name: "TransportTests", dependencies: ["Transport", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "LuaTests", dependencies: ["Lua", "CLuaBridge", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "ScriptTests", dependencies: ["Script", "Lua", "JSON", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "BotTests", dependencies: ["Bot", "Chat", "JSON", "Lua", "Script", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "StoreTests", dependencies: ["Store", "CSQLite", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "HostingTests",
      dependencies: [
        "Hosting", "Rehearsal", "Bot", "Chat", "Dialects", "JSON", "Lua", "Script", "Store", "Transport",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "RehearsalTests",
      dependencies: [
        "Rehearsal", "Chat", "Dialects", "JSON", "Lua", "Script", "Transport", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "CommandsTests",
      dependencies: [
        "Commands", "Bot", "Chat", "Dialects", "Hosting", "JSON", "Lua", "Rehearsal", "Script", "Store",
        "Transport", "TestSupport", "visitant",
      ],
      swiftSettings: strict),
  ],
  cxxLanguageStandard: .cxx17
)
