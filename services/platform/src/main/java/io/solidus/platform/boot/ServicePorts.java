package io.solidus.platform.boot;

import org.springframework.context.ApplicationContext;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;

/** The ports a started service really has, also where 0 was configured. */
public final class ServicePorts {
  private ServicePorts() {}

  public static int http(ApplicationContext context) {
    return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
  }

  public static int grpc(ApplicationContext context) {
    return context.getBean(GrpcServerLifecycle.class).getPort();
  }
}
