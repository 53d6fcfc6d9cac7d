import { EventRelayService, EventsService } from '@domain/events';
import { systemScope } from '@domain/access';
import { chromium } from 'playwright-core';
import { happening } from '../../libs/domain/events/testing';
import { newCampaign } from '../campaigns/campaigns';
import { expectFormA, expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { installedBrowser } from '../tracking/browser';
import { newMember, UNKNOWN_ID } from '../workspaces/people';

const executablePath = installedBrowser();
/** A machine without a browser skips the tests that need one. */
const itIfInstalled = executablePath ? it : it.skip;
const PREVIEW = '/v1/reports/preview';

describe('GET /v1/reports/preview', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await sharedPlatform();
    // A Monday.
    platform.clock.freeze(new Date('2026-03-23T12:00:00Z'));
    workspace = await platform.seed.workspace();
  });
  afterAll(() => platform.close());

  const get = (query = '', key = workspace.key) => platform.api.as(key).get(PREVIEW + query);

  /** Records a positive reply of a lead on the Thursday before. */
  async function answered(campaignId: string): Promise<void> {
    const at = new Date('2026-03-19T10:00:00Z');
    const types = ['email.sent', 'email.replied', 'email.positive_reply'] as const;
    const events = types.map((type) =>
      happening(type, `${type}:${campaignId}`, { about: { campaignId }, firstOfLead: true, at }),
    );
    const service = platform.app.get(EventsService, { strict: false });
    await service.recordAll(systemScope(workspace.workspaceId), events);
    await platform.app.get(EventRelayService, { strict: false }).relay();
  }

  it('is a self-contained page about the previous week, without scripts and external resources', async () => {
    const response = await get().expect(200);
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(response.headers['content-disposition']).toBe('inline');
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.headers['x-content-type-options']).toBe('nosniff');
    expect(response.headers['content-security-policy']).toBe(
      "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
    );
    expect(response.text).toMatch(/^\s*<!doctype html>/i);
    expect(response.text).toContain('Mon, 16 Mar – Sun, 22 Mar 2026');
    expect(response.text).toContain('Hello there,');
  });

  it('is text on request, with the requested days, time zone and campaigns', async () => {
    const { _id } = await newCampaign(platform, workspace, { name: 'Spring' });
    await newCampaign(platform, workspace, { name: 'Summer' });
    const query = `?format=text&frequency=monthly&timezone=Asia/Kathmandu&reportType=campaign&campaignIds=${_id}, ${_id}`;
    const response = await get(query).expect(200);
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(response.text).toMatch(
      /^Monthly report: [^\n]+ · Spring\nSun, 1 Feb – Sat, 28 Feb 2026 \(Asia\/Kathmandu\)\n/,
    );
  });

  itIfInstalled('shows in a browser what happened, with its pictures, and without an error', async () => {
    const { _id } = await newCampaign(platform, workspace, { name: '<script>alert(1)</script>' });
    await answered(_id);
    const response = await get().expect(200);
    const browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('dialog', (dialog) => errors.push(dialog.message()));
      const asked: string[] = [];
      await page.route('**/*', async (route) => {
        asked.push(route.request().url());
        const { headers, text: body } = response;
        await route.fulfill({ headers: { 'content-type': 'text/html', 'content-security-policy': headers['content-security-policy'] ?? '' }, body });
      });
      await page.goto('http://report.test/');
      const widths = await page.locator('img').evaluateAll((images) => images.map((image) => (image as unknown as { naturalWidth: number }).naturalWidth));
      expect(widths).toEqual([1184, 1184, 1184]);
      expect(await page.locator('body').innerText()).toContain('<script>alert(1)</script>');
      expect(asked).toEqual(['http://report.test/']);
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
    }
  }); // prettier-ignore

  it.each([
    ['reportType=team', 'reportType'],
    ['frequency=yearly', 'frequency'],
    ['timezone=Mars/Base', 'timezone'],
    ['format=pdf', 'format'],
    ['surprise=1', 'surprise'],
    ['reportType=campaign', 'campaignIds'],
    ['reportType=campaign&campaignIds=,', 'campaignIds'],
    [`campaignIds=${UNKNOWN_ID}`, 'campaignIds'],
    [`reportType=campaign&campaignIds=${UNKNOWN_ID}`, 'campaignIds'],
    ['reportType=campaign&campaignIds=malformed', 'campaignIds'],
  ])('refuses %s', async (query, field) => {
    expectFormB(await get(`?${query}`), 400, 'VALIDATION_ERROR', field);
  }); // prettier-ignore

  it('refuses more campaigns than a recipient may have', async () => {
    const many = Array.from({ length: 51 }, (_, n) => n.toString(16).padStart(24, 'a')).join();
    expectFormB(await get(`?reportType=campaign&campaignIds=${many}`), 400, 'VALIDATION_ERROR', 'campaignIds');
  });

  it('refuses campaigns of another workspace, and shows none of their data', async () => {
    const other = await platform.seed.workspace();
    const { _id } = await newCampaign(platform, other, { name: 'Theirs' });
    expectFormB(await get(`?reportType=campaign&campaignIds=${_id}`), 400, 'VALIDATION_ERROR', 'campaignIds');
    expect((await get('?format=text').expect(200)).text).not.toContain('Theirs');
  });

  it('accepts members, and requires a key', async () => {
    const member = await newMember(platform, workspace, 'member');
    await platform.api.as(member.key).in(workspace.workspaceId).get(PREVIEW).expect(200);
    expectFormA(await platform.api.get(PREVIEW), 401);
  });
});
