import { describeEnrichmentTool } from '../conformance/enrichment-tool.conformance';
import { FakeTool } from './fake.tool';

describeEnrichmentTool('The fake', () => {
  const tool = new FakeTool();
  return Promise.resolve({
    tool,
    table: { webhookUrl: 'https://tables.example/1', authToken: 'token' },
    fails: (fails, retryAfterMs) => tool.next(retryAfterMs === undefined ? { fails } : { fails, retryAfterMs }),
    staysSilent: () => tool.next('silence'),
    rows: () => tool.rows.map(({ row }) => row),
    close: () => Promise.resolve(),
  });
});
