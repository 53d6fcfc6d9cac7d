export { hastyCrawler } from './hasty-crawler';
export { SiteServer } from './site-server';
