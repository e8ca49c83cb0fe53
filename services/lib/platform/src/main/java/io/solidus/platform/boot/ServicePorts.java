package io.solidus.platform.boot;

import io.solidus.platform.management.ManagementServer;
import io.solidus.platform.security.AdminListener;
import org.springframework.context.ApplicationContext;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;

/** The ports of a started service, also if 0 was configured. */
public final class ServicePorts {
  private ServicePorts() {}

  public static int http(ApplicationContext context) {
    return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
  }

  /** The port of the admin API. */
  public static int admin(ApplicationContext context) {
    return context.getBean(AdminListener.class).port();
  }

  /** The port of probes and metrics of a service without a servlet container. */
  public static int management(ApplicationContext context) {
    return context.getBean(ManagementServer.class).port();
  }

  public static int grpc(ApplicationContext context) {
    return context.getBean(GrpcServerLifecycle.class).getPort();
  }
}
