package io.solidus.edge.gateway.mailbox;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({MailTableProperties.class, ExchangeProperties.class})
class MailTableConfiguration {}
