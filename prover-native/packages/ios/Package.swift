// swift-tools-version:5.9
import PackageDescription

let package = Package(
  name: "Solidus",
  platforms: [.iOS(.v15)],
  products: [.library(name: "Solidus", targets: ["Solidus"])],
  targets: [
    .binaryTarget(name: "CSolidus", path: "CSolidus.xcframework"),
    .target(name: "Solidus", dependencies: ["CSolidus"]),
  ]
)
