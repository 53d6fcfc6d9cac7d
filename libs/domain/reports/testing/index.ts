export { renderReport } from '../content/rendering/render-report';
export { MAX_PENDING, type ReportRendererService } from '../content/rendering/report-renderer.service';
export { type ReportFacts } from '../content/report-facts';
export { busyWeek, quietWeek } from '../content/testing/facts';
export { hostileWeek } from '../content/testing/hostile-facts';
