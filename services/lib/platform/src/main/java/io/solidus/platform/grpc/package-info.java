/** gRPC between the system's parts: rejections, errors, deadlines, channels. */
@NullMarked
package io.solidus.platform.grpc;

import org.jspecify.annotations.NullMarked;
