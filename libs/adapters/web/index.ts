export { type CrawledPage, PAGE_REASONS, PAGE_STATUSES, type PageReason, type PageStatus } from './crawl/crawled-page';
export { type Crawl, SiteCrawler } from './crawl/site-crawler';
export { normalizeUrl } from './site/page-url';
export { getSite } from './site/site-scope';
export { WebModule } from './web.module';
