export { EnrichmentToolModule } from './enrichment-tool.module';
export { EnrichmentToolPort, type EnrichmentRow, type EnrichmentTable } from './port/enrichment-tool.port';
export { EnrichmentToolError, type EnrichmentToolReason } from './port/enrichment-tool.errors';
