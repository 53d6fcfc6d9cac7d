import { type CampaignFigures, type DayFigures } from '@domain/analytics';
import fc from 'fast-check';
import { rankCampaigns, MAX_CAMPAIGNS_SHOWN } from './campaign-ranking';
import { addFigures, createReportFigures, getRatio } from './figure-sums';

const campaign = (id: string, figures: Partial<DayFigures>): CampaignFigures => ({
  id,
  name: id,
  figures: { ...createReportFigures(), ...figures },
});

describe('the campaigns of a report', () => {
  it('are in the order of positive replies, replies, leads contacted, emails sent and age', () => {
    const given = [
      campaign('f', { sent: 9 }),
      campaign('e', { sent: 9 }),
      campaign('d', { sent: 10 }),
      campaign('c', { contacted: 1 }),
      campaign('b', { replied: 1 }),
      campaign('a', { positiveReplied: 1 }),
    ];
    expect(rankCampaigns(given).shown.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(rankCampaigns(given).remaining).toBeNull();
  });

  it('are limited to ten, the others are summed up, and none is lost', () => {
    const figure = fc.nat({ max: 50 });
    const figures = fc.record({ sent: figure, contacted: figure, replied: figure, positiveReplied: figure });
    fc.assert(
      fc.property(fc.array(figures, { maxLength: 40 }), (many) => {
        const given = many.map((one, index) => campaign(`c${index}`, one));
        const { shown, remaining: others } = rankCampaigns(given);
        expect(shown).toHaveLength(Math.min(MAX_CAMPAIGNS_SHOWN, many.length));
        expect(shown.length + (others?.count ?? 0)).toBe(many.length);
        const total = [...shown, ...(others ? [others] : [])].reduce(
          (sum, one) => addFigures(sum, one.figures),
          createReportFigures(),
        );
        expect(total).toEqual(given.reduce((sum, one) => addFigures(sum, one.figures), createReportFigures()));
        const least = shown.at(-1)?.figures.positiveReplied ?? 0;
        expect(others?.figures.positiveReplied ?? 0).toBeLessThanOrEqual(least * (others?.count ?? 0));
      }),
    );
  });
});

describe('a share', () => {
  it.each([
    [0, 0, 0],
    [5, 0, 0],
    [1, 4, 0.25],
    [3, 2, 1.5],
  ])('of %d in %d is %d', (part, whole, expected) => {
    expect(getRatio(part, whole)).toBe(expected);
  });
});
