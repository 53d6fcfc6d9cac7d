import { describeFailures, describeLostWrites, describeTokens } from './crm-failing';
import { describeAccount, describeFilters, describeLookUps, describePull } from './crm-reading';
import { type CrmTestEnvironment } from './crm-test-environment';
import { describeRecording, describeWriting } from './crm-writing';

const PARTS: readonly (readonly [string, (environment: () => CrmTestEnvironment) => void])[] = [
  ['the account:', describeAccount],
  ['pages:', describePull],
  ['filters:', describeFilters],
  ['looking up:', describeLookUps],
  ['writing:', describeWriting],
  ['the timeline:', describeRecording],
  ['failures:', describeFailures],
  ['writes that are lost:', describeLostWrites],
  ['tokens:', describeTokens],
];

/** The conformance suite of all CRM drivers (`CrmSession`); each driver calls it once. */
export function describeCrm(name: string, open: () => Promise<CrmTestEnvironment>): void {
  describe(`${name} keeps the port's promises:`, () => {
    let environment: CrmTestEnvironment;
    beforeEach(async () => {
      environment = await open();
    });
    afterEach(() => environment.close());

    for (const [part, describePart] of PARTS) describe(part, () => describePart(() => environment));
  });
}
