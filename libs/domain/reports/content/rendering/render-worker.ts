import { parentPort } from 'node:worker_threads';
import { type ReportFacts } from '../report-facts';
import { renderReport } from './render-report';

/** The answer of a render thread (`ReportRendererService`); one per message. */
export type RenderAnswer = { readonly report: Awaited<ReturnType<typeof renderReport>> } | { readonly failure: string };

parentPort?.on('message', (facts: ReportFacts) => {
  void renderReport(facts).then(
    (report) => postAnswer({ report }),
    (error: unknown) =>
      postAnswer({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});

function postAnswer(printed: RenderAnswer): void {
  parentPort?.postMessage(printed, []);
}
