package io.solidus.dev.openid;

import org.springframework.boot.Banner;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** A running OpenID provider on the loopback interface. */
public final class OpenIdServer implements AutoCloseable {
  private final ConfigurableApplicationContext context;

  private OpenIdServer(ConfigurableApplicationContext context) {
    this.context = context;
  }

  public static OpenIdServer start(OpenIdSettings settings) {
    return new OpenIdServer(
        new SpringApplicationBuilder(OpenIdConfiguration.class)
            .bannerMode(Banner.Mode.OFF)
            .logStartupInfo(false)
            .registerShutdownHook(false)
            .initializers(context ->
                ((GenericApplicationContext) context)
                    .registerBean(OpenIdSettings.class, () -> settings))
            .run(
                "--spring.config.name=solidus-openid",
                "--spring.application.name=solidus-openid",
                "--server.address=127.0.0.1",
                "--server.port=" + settings.port(),
                "--management.server.port=-1"));
  }

  /** The issuer, as in the tokens. */
  public String issuer() {
    return "http://127.0.0.1:"
        + context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
  }

  @Override
  public void close() {
    context.close();
  }
}
