export { SiteServer } from './site.server';
