package io.solidus.dev.testkit.sample;

import io.solidus.platform.boot.ServiceLauncher;
import java.util.Map;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The smallest service that uses every part of the platform. */
@SpringBootApplication(proxyBeanMethods = false)
public class SampleApplication {
  public static ConfigurableApplicationContext start(Map<String, Object> properties) {
    return ServiceLauncher.start(SampleApplication.class, "sample", properties);
  }
}
