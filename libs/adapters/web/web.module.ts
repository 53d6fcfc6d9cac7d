import { Global, Module } from '@nestjs/common';
import { Config, VERSION } from '@platform/config';
import { OutboundHttpClient } from '@platform/outbound';
import { SiteCrawler } from './crawl/site-crawler';
import { OutboundPagesDriver } from './http/outbound-pages.driver';
import { WebPagesPort } from './port/web-pages.port';

/** By which robots.txt calls us (RFC 9309, 2.2.1). */
const PRODUCT = 'OutreachBot';

/** Offers pages of the web, and reading whole sites. */
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

/** Who comes, and where he can be asked to stay away. */
function getUserAgent({ crawlerContactUrl }: Config): string {
  return `${PRODUCT}/${VERSION}${crawlerContactUrl === '' ? '' : ` (+${crawlerContactUrl})`}`;
}
