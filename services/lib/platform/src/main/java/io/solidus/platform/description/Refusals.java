package io.solidus.platform.description;

import static io.solidus.protocol.RejectionCode.BODY_TOO_LARGE;
import static io.solidus.protocol.RejectionCode.FORBIDDEN;
import static io.solidus.protocol.RejectionCode.IDEMPOTENCY_MISMATCH;
import static io.solidus.protocol.RejectionCode.MALFORMED_REQUEST;
import static io.solidus.protocol.RejectionCode.NOT_FOUND;
import static io.solidus.protocol.RejectionCode.UNAUTHORIZED;
import static io.solidus.protocol.RejectionCode.UNAVAILABLE;

import io.solidus.platform.bank.BankRefusedException;
import io.solidus.platform.idempotency.IdempotencyKey;
import io.solidus.platform.problem.Problem;
import io.solidus.protocol.RejectionCode;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.springdoc.core.customizers.OperationCustomizer;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.method.HandlerMethod;

/**
 * Gives every operation its refusals, with their stable codes, and an id of its own. The codes are
 * those that any call may meet, and those of {@link Refuses}.
 */
final class Refusals implements OperationCustomizer {
  /** Lists the codes of an answer, for programs. */
  static final String CODES = "x-codes";

  private static final int CONFLICT = 409;
  private static final String ACCESS = "org.springframework.security.access.prepost.PreAuthorize";

  @Override
  public Operation customize(Operation operation, HandlerMethod handler) {
    identify(operation, handler);
    operation.getResponses().values().forEach(Refusals::binary);
    codes(handler).forEach((status, codes) -> refuse(operation, status, codes));
    ApiResponse other = response(operation, "default");
    other.setDescription("Any other refusal");
    return operation;
  }

  /** An id of the controller's and the method's name, unless the method has one. */
  private static void identify(Operation operation, HandlerMethod handler) {
    io.swagger.v3.oas.annotations.Operation own =
        handler.getMethodAnnotation(io.swagger.v3.oas.annotations.Operation.class);
    if (own == null || own.operationId().isEmpty()) {
      String type = handler.getBeanType().getSimpleName().replaceFirst("Controller$", "");
      String method = handler.getMethod().getName();
      operation.setOperationId(method + Character.toUpperCase(type.charAt(0)) + type.substring(1));
    }
  }

  /** Bytes as they are. The library would describe them as base64 in a JSON text. */
  private static void binary(ApiResponse response) {
    Content content = response.getContent();
    MediaType bytes = content == null ? null : content.get("application/octet-stream");
    if (bytes != null) {
      JsonSchema schema = new JsonSchema();
      schema.setTypes(Set.of("string"));
      schema.setFormat("binary");
      bytes.setSchema(schema);
    }
  }

  private static Map<Integer, Set<String>> codes(HandlerMethod handler) {
    Map<Integer, Set<String>> codes = new TreeMap<>();
    add(codes, MALFORMED_REQUEST, UNAVAILABLE);
    add(codes, 406, MALFORMED_REQUEST.code()); // an Accept header that the answer does not meet
    if (has(handler, RequestBody.class)) {
      add(codes, BODY_TOO_LARGE);
      add(codes, 415, MALFORMED_REQUEST.code());
    }
    if (has(handler, PathVariable.class)) {
      add(codes, NOT_FOUND);
    }
    if (hasIdempotencyKey(handler)) {
      add(codes, IDEMPOTENCY_MISMATCH);
    }
    if (needsToken(handler)) {
      add(codes, UNAUTHORIZED, FORBIDDEN);
      add(
          codes,
          BankRefusedException.Kind.UNKNOWN_STAFF,
          BankRefusedException.Kind.CENTRAL_STAFF_ONLY);
    }
    for (AnnotatedElement element : List.of(handler.getBeanType(), handler.getMethod())) {
      for (Refuses refuses :
          AnnotatedElementUtils.getAllMergedAnnotations(element, Refuses.class)) {
        add(codes, refuses.value());
        Arrays.stream(refuses.conflicts()).forEach(code -> add(codes, CONFLICT, code));
        for (Refuses.Own own : refuses.own()) {
          Arrays.stream(own.codes()).forEach(code -> add(codes, own.status(), code));
        }
      }
    }
    return codes;
  }

  private static void add(Map<Integer, Set<String>> codes, RejectionCode... more) {
    for (RejectionCode code : more) {
      add(codes, code.http(), code.code());
    }
  }

  private static void add(Map<Integer, Set<String>> codes, BankRefusedException.Kind... more) {
    for (BankRefusedException.Kind kind : more) {
      add(codes, kind.status(), kind.code());
    }
  }

  private static void add(Map<Integer, Set<String>> codes, int status, String code) {
    codes.computeIfAbsent(status, any -> new TreeSet<>()).add(code);
  }

  private static boolean has(HandlerMethod handler, Class<? extends Annotation> parameter) {
    return Arrays.stream(handler.getMethodParameters())
        .anyMatch(one -> one.hasParameterAnnotation(parameter));
  }

  private static boolean hasIdempotencyKey(HandlerMethod handler) {
    return Arrays.stream(handler.getMethodParameters())
        .map(one -> one.getParameterAnnotation(RequestHeader.class))
        .anyMatch(header -> header != null && header.name().equals(IdempotencyKey.HEADER));
  }

  /** By name, because the gateway has no rules of access. */
  private static boolean needsToken(HandlerMethod handler) {
    return Arrays.stream(handler.getMethod().getAnnotations())
            .anyMatch(any -> any.annotationType().getName().equals(ACCESS))
        || Arrays.stream(handler.getBeanType().getAnnotations())
            .anyMatch(any -> any.annotationType().getName().equals(ACCESS));
  }

  private static void refuse(Operation operation, int status, Set<String> codes) {
    ApiResponse response = response(operation, Integer.toString(status));
    response.setDescription("Refused: " + String.join(", ", codes));
    response.addExtension(CODES, List.copyOf(codes));
    if (status == 429 || status == 503) {
      response.addHeaderObject(
          "Retry-After",
          new Header()
              .required(true)
              .description("Seconds to wait before the next try")
              .schema(seconds()));
    }
  }

  private static Schema<?> seconds() {
    JsonSchema seconds = new JsonSchema();
    seconds.setTypes(Set.of("integer"));
    seconds.setMinimum(BigDecimal.ONE);
    return seconds;
  }

  /** The operation's answer of this status, with a problem document unless it says otherwise. */
  private static ApiResponse response(Operation operation, String status) {
    ApiResponse present = operation.getResponses().get(status);
    ApiResponse response = present == null ? new ApiResponse() : present;
    Content content = response.getContent();
    if (content == null || !content.containsKey(Problem.MEDIA_TYPE)) {
      response.setContent(
          new Content()
              .addMediaType(
                  Problem.MEDIA_TYPE,
                  new MediaType().schema(new Schema<>().$ref("#/components/schemas/Problem"))));
    }
    operation.getResponses().addApiResponse(status, response);
    return response;
  }
}
