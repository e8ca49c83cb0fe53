package io.solidus.edge.gateway.parameters;

import io.solidus.platform.description.Refuses;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.responses.ApiResponses;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.http.MediaType;

/** The answers of a call that answers with {@link FixedContent}. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@ApiResponses({
  @ApiResponse(
      responseCode = "200",
      description = "all of it",
      content =
          @Content(
              mediaType = MediaType.APPLICATION_OCTET_STREAM_VALUE,
              schema = @Schema(type = "string", format = "binary"))),
  @ApiResponse(
      responseCode = "206",
      description = "the range of it that was asked for",
      headers =
          @Header(
              name = "Content-Range",
              description = "the range, and the length of all of it",
              required = true,
              schema = @Schema(type = "string")),
      content =
          @Content(
              mediaType = MediaType.APPLICATION_OCTET_STREAM_VALUE,
              schema = @Schema(type = "string", format = "binary"))),
  @ApiResponse(
      responseCode = "304",
      description = "what the reader has, as its If-None-Match says",
      content = @Content)
})
@Refuses(own = @Refuses.Own(status = 416, codes = "malformed-request"))
public @interface AnswersRanges {}
