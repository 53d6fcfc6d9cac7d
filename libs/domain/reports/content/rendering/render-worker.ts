import { parentPort } from 'node:worker_threads';
import { type ReportFacts } from '../report-facts';
import { renderReport } from './render-report';

/** What a thread of the press answers (`ReportRendererService`): one answer to each message. */
export type RenderedReport =
  | { readonly report: Awaited<ReturnType<typeof renderReport>> }
  | { readonly failure: string };

parentPort?.on('message', (facts: ReportFacts) => {
  void renderReport(facts).then(
    (report) => answer({ report }),
    (error: unknown) => answer({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});

function answer(printed: RenderedReport): void {
  parentPort?.postMessage(printed, []);
}
