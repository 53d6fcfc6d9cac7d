export { type LinkRewriting, rewriteLinks, type RewrittenLinks } from './link.rewriting';
export { appendToBody, honeypotHtml, pixelHtml } from './pixel';
export { TrackingModule } from './tracking.module';
export { type TrackedIds, type TrackingKind, TrackingTokens } from './tracking.tokens';
export { TrackingUrls } from './tracking.urls';
