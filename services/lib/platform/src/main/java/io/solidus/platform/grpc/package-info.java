/** gRPC between services: refusals, failures, deadlines, channels. */
@NullMarked
package io.solidus.platform.grpc;

import org.jspecify.annotations.NullMarked;
