export { EnrichmentToolModule } from './enrichment-tool.module';
export { EnrichmentTool, type EnrichmentRow, type EnrichmentTable } from './port/enrichment.tool';
export { EnrichmentToolError, type EnrichmentToolReason } from './port/enrichment-tool.errors';
