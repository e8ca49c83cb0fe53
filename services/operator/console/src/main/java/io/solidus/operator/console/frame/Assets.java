package io.solidus.operator.console.frame;

import java.time.Duration;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.CacheControl;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** The style sheet, the console's script, and htmx from its jar. */
@Configuration(proxyBeanMethods = false)
class Assets implements WebMvcConfigurer {
  private static final CacheControl CACHE =
      CacheControl.maxAge(Duration.ofMinutes(10)).cachePrivate();

  @Override
  public void addResourceHandlers(ResourceHandlerRegistry registry) {
    registry
        .addResourceHandler("/assets/htmx/**")
        .addResourceLocations("classpath:/META-INF/resources/webjars/htmx.org/2.0.8/dist/")
        .setUseLastModified(false)
        .setCacheControl(CACHE);
    registry
        .addResourceHandler("/assets/**")
        .addResourceLocations("classpath:/console/assets/")
        .setUseLastModified(false)
        .setCacheControl(CACHE);
  }
}
