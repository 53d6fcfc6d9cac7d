type Texts = Map<string, string>;

const { fileTexts } = jest.requireActual<{
  fileTexts: (read: Texts, watching: { watch: boolean; watchAll: boolean }) => Texts;
}>('./file.texts.js');
const once = { watch: false, watchAll: false };

describe('the texts of files', () => {
  it('stay from one test file to the next, which Jest begins and ends with a map of its own', () => {
    const texts = fileTexts(new Map([['/first.spec.ts', 'first']]), once);
    texts.set('/shared.ts', 'shared');
    texts.clear();
    const next = fileTexts(new Map([['/second.spec.ts', 'second']]), once);
    expect(next.get('/shared.ts')).toBe('shared');
    expect(next.get('/second.spec.ts')).toBe('second');
  });

  it('are those that Jest read last', () => {
    fileTexts(new Map([['/a.spec.ts', 'old']]), once);
    expect(fileTexts(new Map([['/a.spec.ts', 'new']]), once).get('/a.spec.ts')).toBe('new');
  });

  it.each([
    { watch: true, watchAll: false },
    { watch: false, watchAll: true },
  ])('are read anew for everybody who watches (%j)', (watching) => {
    const own: Texts = new Map();
    expect(fileTexts(own, watching)).toBe(own);
  });
});
