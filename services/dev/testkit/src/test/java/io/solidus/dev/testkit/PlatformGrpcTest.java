package io.solidus.dev.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.solidus.dev.testkit.sample.SampleApplication;
import io.solidus.platform.boot.ServicePorts;
import io.solidus.platform.grpc.GrpcChannels;
import io.solidus.platform.grpc.Rejections;
import io.solidus.platform.tracing.Trace;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.wire.v1.ReserveAllReply;
import io.solidus.wire.v1.ReserveAllRequest;
import io.solidus.wire.v1.ReserveClaim;
import io.solidus.wire.v1.ShardServiceGrpc;
import io.solidus.wire.v1.ShardServiceGrpc.ShardServiceBlockingStub;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Statuses and texts that a gRPC service of the platform sends, and the platform's client calls.
 */
@Tag("process")
class PlatformGrpcTest {
  private static ConfigurableApplicationContext service;
  private static GrpcChannels channels;
  private static ShardServiceBlockingStub stub;

  @BeforeAll
  static void start() {
    Map<String, Object> properties = new HashMap<>(TestPostgres.newDatabase().springProperties());
    properties.putAll(TestKafka.absent());
    properties.put("solidus.grpc.deadline", "5s");
    service = SampleApplication.start(properties);
    channels = service.getBean(GrpcChannels.class);
    stub = ShardServiceGrpc.newBlockingStub(channels.to("127.0.0.1:" + ServicePorts.grpc(service)));
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @Test
  void unforeseenErrorsCarryNoText() {
    for (int kind : new int[] {1, 2}) {
      StatusRuntimeException failure = failure(kind);
      assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.INTERNAL);
      assertThat(String.valueOf(failure.getStatus().getDescription())).doesNotContain("secret");
      assertThat(Rejections.toException(failure).code()).isEqualTo(RejectionCode.INTERNAL);
    }
  }

  @Test
  void rejectionKeepsItsStatus() {
    StatusRuntimeException failure = failure(3);
    assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(failure.getStatus().getDescription()).isEqualTo("ask again");
  }

  @Test
  void callsWithoutDeadlineGetOne() {
    StatusRuntimeException failure =
        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> failure(4));
    assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(Rejections.toException(failure).code()).isEqualTo(RejectionCode.UNAVAILABLE);
  }

  @Test
  void callsCarryTheTrace() {
    String trace = "0af7651916cd43dd8448eb211c80319c";
    MDC.put(Trace.MDC_KEY, trace);
    try {
      ReserveAllReply reply = stub.reserveAll(request(0));
      assertThat(reply.getRejected().getDetail()).isEqualTo(trace);
    } finally {
      MDC.remove(Trace.MDC_KEY);
    }
  }

  @Test
  void oversizedMessagesAreRefused() {
    ReserveAllRequest huge =
        ReserveAllRequest.newBuilder()
            .addClaims(ReserveClaim.newBuilder().setCore(ByteString.copyFrom(new byte[2 << 20])))
            .build();
    StatusRuntimeException failure =
        catchThrowableOfType(StatusRuntimeException.class, () -> stub.reserveAll(huge));
    assertThat(failure.getStatus().getCode())
        .isIn(Status.Code.RESOURCE_EXHAUSTED, Status.Code.CANCELLED);
  }

  @Test
  void plaintextStaysOnThisMachine() {
    assertThatThrownBy(() -> channels.to("validator.example:9100"))
        .isInstanceOf(ProtocolException.class);
    assertThat(channels.to("localhost:9100")).isSameAs(channels.to("localhost:9100"));
  }

  private static StatusRuntimeException failure(int kind) {
    return catchThrowableOfType(StatusRuntimeException.class, () -> stub.reserveAll(request(kind)));
  }

  private static ReserveAllRequest request(int kind) {
    return ReserveAllRequest.newBuilder().setShardMapVersion(kind).build();
  }
}
