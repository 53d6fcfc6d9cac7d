export { type CrawledPage, PAGE_REASONS, PAGE_STATUSES, type PageReason, type PageStatus } from './crawl/crawled.page';
export { type Crawl, SiteCrawler } from './crawl/site.crawler';
export { normalUrl, pageKey } from './site/page.url';
export { isOfSite, siteOf } from './site/site.scope';
export { WebModule } from './web.module';
