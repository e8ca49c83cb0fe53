package io.solidus.platform.security;

import java.util.Map;
import org.apache.catalina.connector.Connector;
import org.apache.commons.logging.LogFactory;
import org.apache.coyote.ProtocolHandler;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.tomcat.SslConnectorCustomizer;
import org.springframework.boot.tomcat.TomcatProtocolHandlerCustomizer;
import org.springframework.boot.tomcat.TomcatWebServerFactory;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.util.LambdaSafe;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.WebServerSslBundle;
import org.springframework.core.Ordered;

/**
 * A second port of the same container, for the admin API alone, so that the network decides who
 * reaches it. It is customised last, when the first port has all its settings.
 */
public final class AdminListener
    implements WebServerFactoryCustomizer<TomcatServletWebServerFactory>, Ordered {
  private final Connector connector;
  private final ObjectProvider<SslBundles> bundles;

  AdminListener(int port, ObjectProvider<SslBundles> bundles) {
    this.connector = new Connector(TomcatWebServerFactory.DEFAULT_PROTOCOL);
    this.connector.setPort(port);
    this.bundles = bundles;
  }

  /** The port, also if 0 was configured; the service must have started. */
  public int port() {
    return connector.getLocalPort();
  }

  @Override
  public void customize(TomcatServletWebServerFactory factory) {
    if (factory.getAddress() != null) {
      connector.setProperty("address", factory.getAddress().getHostAddress());
    }
    factory.getConnectorCustomizers().forEach(customizer -> customizer.customize(connector));
    customizeProtocol(factory);
    Ssl ssl = factory.getSsl();
    if (Ssl.isEnabled(ssl)) {
      encrypt(ssl);
    }
    factory.addAdditionalConnectors(connector);
  }

  @SuppressWarnings("unchecked") // LambdaSafe skips customizers of other protocols
  private void customizeProtocol(TomcatServletWebServerFactory factory) {
    ProtocolHandler protocol = connector.getProtocolHandler();
    LambdaSafe.callbacks(
            TomcatProtocolHandlerCustomizer.class,
            factory.getProtocolHandlerCustomizers(),
            protocol)
        .invoke(customizer -> customizer.customize(protocol));
  }

  private void encrypt(Ssl ssl) {
    SslBundles known = bundles.getObject();
    SslConnectorCustomizer tls =
        new SslConnectorCustomizer(
            LogFactory.getLog(AdminListener.class), connector, ssl.getClientAuth());
    tls.customize(WebServerSslBundle.get(ssl, known), Map.of());
    String bundle = ssl.getBundle();
    if (bundle != null) {
      known.addBundleUpdateHandler(bundle, renewed -> tls.update(null, renewed));
    }
  }

  @Override
  public int getOrder() {
    return Ordered.LOWEST_PRECEDENCE;
  }
}
