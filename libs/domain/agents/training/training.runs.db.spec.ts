import { PROFILE, pageOf, TrainingFixture } from './testing/training.fixture';

const TEXT = 'Acme Rail runs the timetables of forty regional railways and tells passengers the truth about delays.';

describe('A training', () => {
  let fixture: TrainingFixture;
  beforeAll(async () => {
    fixture = await TrainingFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(() => fixture.fresh());

  it('reads the pages of a site and has a profile written from them', async () => {
    fixture.site.serve({
      '/': pageOf('Acme', TEXT, '/about', '/gone'),
      '/about': pageOf('About', `${TEXT} We are sixty people in Chur.`),
    });
    const training = await fixture.trained();
    expect(training).toMatchObject({
      status: 'completed',
      progress: { found: 3, read: 2, skipped: 1, pages: 3 },
      error: null,
      profile: PROFILE,
      profileReason: null,
    });
    const pages = await fixture.pages(training);
    expect(pages.map(({ url, status, reason }) => [new URL(url).pathname, status, reason])).toEqual([
      ['/', 'read', null],
      ['/about', 'read', null],
      ['/gone', 'failed', 'not_found'],
    ]);
    expect((await fixture.events()).map(({ data }) => data)).toEqual([
      { agentId: fixture.agentId, trainingId: training._id, url: fixture.site.url('/'), pages: 2, hasProfile: true },
    ]);
  });
});
