import { type PersonField } from '../schemas/lead.record';

/** Column names of exports from CRMs, address books and spreadsheets, normalized by `toKey`. */
const SPELLINGS: Readonly<Record<'email' | 'timezone' | PersonField, readonly string[]>> = {
  email: [
    'email', 'emailaddress', 'emailadresse', 'mail', 'mailaddress', 'workemail', 'businessemail', 'primaryemail',
    'contactemail', 'personemail', 'leademail', 'emailid', 'email1', 'email1value', 'courriel', 'adresseemail',
    'adressemail', 'correo', 'correoelectronico', 'indirizzoemail', 'emailadres', 'epost',
  ],
  firstName: ['firstname', 'first', 'givenname', 'forename', 'fname', 'vorname', 'prenom', 'nombre', 'nome', 'voornaam'],
  lastName: [
    'lastname', 'last', 'surname', 'familyname', 'lname', 'nachname', 'familienname', 'nomdefamille', 'apellido',
    'apellidos', 'cognome', 'achternaam',
  ],
  companyName: [
    'companyname', 'company', 'organization', 'organisation', 'organizationname', 'organisationname', 'account',
    'accountname', 'employer', 'firma', 'firmenname', 'unternehmen', 'entreprise', 'societe', 'empresa', 'azienda',
    'bedrijf',
  ],
  jobTitle: [
    'jobtitle', 'title', 'position', 'role', 'jobposition', 'occupation', 'job', 'berufsbezeichnung', 'funktion', 'poste',
    'cargo', 'functie',
  ],
  phone: [
    'phone', 'phonenumber', 'telephone', 'tel', 'mobile', 'mobilephone', 'mobilenumber', 'cell', 'cellphone', 'workphone',
    'businessphone', 'phone1', 'phone1value', 'telefon', 'telefonnummer', 'handy', 'mobil', 'telefono', 'telefoon',
  ],
  website: [
    'website', 'websiteurl', 'web', 'url', 'homepage', 'companywebsite', 'companyurl', 'webseite', 'siteweb', 'sitioweb',
    'sitoweb',
  ],
  linkedinUrl: [
    'linkedinurl', 'linkedin', 'linkedinprofile', 'linkedinprofileurl', 'personlinkedinurl', 'linkedinlink',
    'profileurl',
  ],
  city: ['city', 'town', 'locality', 'stadt', 'ort', 'ville', 'ciudad', 'citta', 'stad', 'plaats'],
  country: ['country', 'countryname', 'land', 'staat', 'pays', 'pais', 'paese'],
  timezone: ['timezone', 'tz', 'zeitzone', 'fuseauhoraire', 'zonahoraria'],
}; // prettier-ignore

const FIELD_OF = new Map(
  (Object.entries(SPELLINGS) as [keyof typeof SPELLINGS, readonly string[]][]).flatMap(([field, spellings]) =>
    spellings.map((spelling) => [spelling, field] as const),
  ),
);

/** The field that a header usually means, regardless of case, accents and punctuation; null for any other header. */
export function findKnownField(header: string): 'email' | 'timezone' | PersonField | null {
  return FIELD_OF.get(toKey(header)) ?? null;
}

/** `E-Mail Adresse:` becomes `emailadresse`, `Prénom` becomes `prenom`. */
function toKey(header: string): string {
  return header
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
