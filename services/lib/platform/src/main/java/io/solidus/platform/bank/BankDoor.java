package io.solidus.platform.bank;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Keeps the staff of a bank to their bank, before any other check of a call. An object of another
 * bank answers as one that does not exist. A new route is closed to them until it says how it keeps
 * banks apart: by variables that {@link BankObjects} knows, by a parameter {@link BankScope} for
 * its queries, or by {@link EveryBank}. For the centre the door is open; roles still count.
 */
final class BankDoor implements HandlerInterceptor {
  private final @Nullable BankObjects objects;

  BankDoor(@Nullable BankObjects objects) {
    this.objects = objects;
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    BankScope scope = RequestScope.of(request);
    if (scope.isEvery() || !(handler instanceof HandlerMethod method) || isForEvery(method)) {
      return true;
    }
    Map<?, ?> variables =
        request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE) instanceof Map<?, ?> m
            ? m
            : Map.of();
    if (variables.isEmpty() ? !isScoped(method) : !knowsAll(variables)) {
      scope.requireEvery();
    }
    variables.forEach((variable, text) -> {
      if (objects == null || !objects.owns(scope.id(), variable.toString(), text.toString())) {
        throw new ProtocolException(RejectionCode.NOT_FOUND, "there is no such object");
      }
    });
    return true;
  }

  private boolean knowsAll(Map<?, ?> variables) {
    return objects != null
        && variables.keySet().stream().allMatch(name -> objects.knows(name.toString()));
  }

  private static boolean isForEvery(HandlerMethod method) {
    return method.hasMethodAnnotation(EveryBank.class)
        || method.getBeanType().isAnnotationPresent(EveryBank.class);
  }

  private static boolean isScoped(HandlerMethod method) {
    return Arrays.stream(method.getMethodParameters())
        .anyMatch(parameter -> parameter.getParameterType() == BankScope.class);
  }
}
