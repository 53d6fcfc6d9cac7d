import { type OutboundHttpClient } from '@platform/outbound';
import { CRAWL_LIMITS, type CrawlLimits } from '../crawl/crawl-limits';
import { SiteCrawler } from '../crawl/site-crawler';
import { OutboundPagesDriver } from '../http/outbound-pages.driver';

/** The crawler over real HTTP, to test sites, which need no crawl delay. */
export function hastyCrawler(http: OutboundHttpClient, limits: Partial<CrawlLimits> = {}): SiteCrawler {
  return new SiteCrawler(new OutboundPagesDriver(http, 'Tests/1.0'), 'OutreachBot', {
    ...CRAWL_LIMITS,
    gapMs: 0,
    ...limits,
  });
}
