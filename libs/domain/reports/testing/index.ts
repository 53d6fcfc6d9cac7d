export { renderReport } from '../content/rendering/render-report';
export { MAX_PENDING, type ReportRendererService } from '../content/rendering/report-renderer.service';
export { type ReportFacts } from '../content/report-facts';
export { busyWeek, hostileWeek, quietWeek } from '../content/testing/facts';
