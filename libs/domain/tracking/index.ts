export { type LinkRewriting, MAX_TRACKED_LINKS, rewriteLinks, type RewrittenLinks } from './link.rewriting';
export { appendToBody, honeypotHtml, pixelHtml } from './pixel';
export { TrackingModule } from './tracking.module';
export { type TrackedIds, type TrackingKind, TrackingTokens } from './tracking.tokens';
export { PIXEL_EXTENSION, TRACKING_PATHS, TrackingUrls } from './tracking.urls';
