package io.solidus.edge.gateway.parameters;

import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.responses.ApiResponses;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The answers of a call whose answer has an entity tag. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@ApiResponses({
  @ApiResponse(responseCode = "200", useReturnTypeSchema = true),
  @ApiResponse(
      responseCode = "304",
      description = "what the reader has, as its If-None-Match says",
      content = @Content)
})
@interface AnswersUnchanged {}
