import { Global, Module } from '@nestjs/common';
import { Config, VERSION } from '@platform/config';
import { OutboundHttpClient } from '@platform/outbound';
import { SiteCrawler } from './crawl/site-crawler';
import { OutboundPagesDriver } from './http/outbound-pages.driver';
import { WebPagesPort } from './port/web-pages.port';

/** Our product token in robots.txt (RFC 9309, 2.2.1). */
const PRODUCT = 'OutreachBot';

/** Provides access to web pages and crawls of sites. */
@Global()
@Module({
  providers: [
    {
      provide: WebPagesPort,
      useFactory: (http: OutboundHttpClient, config: Config) => new OutboundPagesDriver(http, getUserAgent(config)),
      inject: [OutboundHttpClient, Config],
    },
    {
      provide: SiteCrawler,
      useFactory: (pages: WebPagesPort) => new SiteCrawler(pages, PRODUCT),
      inject: [WebPagesPort],
    },
  ],
  exports: [SiteCrawler],
})
export class WebModule {}

/** The user agent with a contact URL. */
function getUserAgent({ crawlerContactUrl }: Config): string {
  return `${PRODUCT}/${VERSION}${crawlerContactUrl === '' ? '' : ` (+${crawlerContactUrl})`}`;
}
