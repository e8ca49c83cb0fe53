package io.solidus.edge.gateway.oblivious;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ObliviousProperties.class)
class ObliviousConfiguration {}
