/**
 * Headers in exports of Google Calendar, Outlook, Eventbrite, Localist and The Events Calendar (contract notes 14.5),
 * and common words from hand-made tables. Folded, separated by bars and line ends; earlier names win over later ones.
 */
const COLUMN_NAMES = {
  title: `
    event name|subject|title|event title|summary|event|betreff|titel|veranstaltung|temat|tytul|nazwa wydarzenia
    wydarzenie|titre|objet|titulo|asunto|titolo|oggetto|onderwerp|nazev|predmet|bezeichnung|veranstaltungstitel
    veranstaltungsname|name der veranstaltung|eventname|nom de l evenement|nom de l activite|titre de l evenement
    intitule|intitule de l evenement|evenement|manifestation|activite|nombre del evento|titulo del evento|evento
    actividad|tytul wydarzenia|nazwa imprezy|impreza|naam evenement|naam activiteit|titel der veranstaltung
    veranstaltung titel|titre de la manifestation|titre evenement|activiteit|nome evento|anlass|name of event
    name of the event|title of event|title of the event|kurstitel|filmtitel|name|nom|nombre|naam|nome|nazwa|was|what
    wat|co|thema|evenemang|evenemangsnamn|handelse|namn|benamning|forestallning|arrangemang|aktivitet|arrangement
    arrangementets navn|begivenhed|overskrift|navn|tittel|hendelse|emne|hvad|hva|vad|otsikko|tapahtuma|tapahtuman nimi
    nimi|aihe|mita|esemeny|esemeny neve|rendezveny|rendezveny neve|megnevezes|nev|nazev akce|nazev udalosti|akce
    udalost|jmeno|nazov|nazov podujatia|podujatie|co se kona|titel evenement|naam van het evenement|gebeurtenis
    voorstelling|nome do evento|titulo do evento|assunto|atividade|designacao|o que|titolo evento|titolo dell evento
    nome dell evento|denominazione|manifestazione|iniziativa|attivita|appuntamento|spettacolo|cosa
    название|название мероприятия|наименование мероприятия|наименование|мероприятие|событие|название события
    заголовок|тема|назва|назва заходу|назва подіі|захід|подія|заглавие|име на събитието|събитие|наслов|назив
    догађај|τιτλος|τιτλος εκδηλωσης|ονομα εκδηλωσης|εκδηλωση|ονομασια|θεμα|etkinlik adi|etkinligin adi|etkinlik
    baslik|konu|adi|titlu|titlul|denumire|denumirea evenimentului|denumire eveniment|numele evenimentului
    nume eveniment|titlul evenimentului|titlu eveniment|eveniment|subiect|nume|イベント名|イベント名称|行事名
    催事名|講座名|公演名|件名|タイトル|イベント|行事|名称|活动名称|活动标题|活动主题|标题|主题|活动|活動名稱
    活動標題|活動主題|標題|主題|活動|名稱|행사명|행사 이름|행사제목|행사 제목|이벤트명|공연명|프로그램명|제목|행사
    이름`,
  description: `
    event description|description|details|body|beschreibung|opis|descripcion|descricao|descrizione|omschrijving|popis
    text|info|infos|informationen|inhalt|details zur veranstaltung|resume|texte|descriptif|contenu|detalles
    informacion|texto|opis wydarzenia|szczegoly|tresc|beschrijving|tekst|toelichting|notes|note|information
    beskrivning|detaljer|beskrivelse|omtale|kuvaus|esittely|lisatiedot|tiedot|teksti|leiras|reszletek|ismerteto|szoveg
    podrobnosti|informace|detalhes|informacoes|sinopse|descrizione evento|dettagli|testo|informazioni
    описание|описание мероприятия|подробное описание|подробности|содержание|текст|опис|опис заходу|опис подіі
    подробиці|деталі|зміст|περιγραφη|λεπτομερειες|κειμενο|aciklama|etkinlik aciklamasi|ayrintilar|detaylar|icerik
    descriere|descrierea|descrierea evenimentului|descriere eveniment|detalii|continut|説明|イベント内容|内容|詳細
    概要|本文|備考|描述|活动描述|活动介绍|活动内容|说明|简介|详情|活動說明|活動介紹|活動內容|說明|內容|簡介|설명
    행사 설명|행사내용|행사 내용|상세내용|상세 내용|내용`,
  excerpt: `
    event excerpt|excerpt|short description|kurzbeschreibung|summary text|teaser|untertitel|subtitle|sous titre
    zajawka|samenvatting|kort beskrivning|ingress|underrubrik|kort beskrivelse|undertitel|undertittel|manchet
    lyhyt kuvaus|tiivistelma|alaotsikko|rovid leiras|alcim|kratky popis|anotace|perex|podtitul|krotki opis|podtytul
    korte omschrijving|korte beschrijving|ondertitel|resumo|subtitulo|descrizione breve|breve descrizione|sottotitolo
    краткое описание|анонс|короткии опис|συντομη περιγραφη|υποτιτλος|kisa aciklama|scurta descriere
    descriere scurta|rezumat|サブタイトル|副題|摘要|요약|부제`,
  start_date: `
    event start date|start date|date from|start|starts|starts at|start date time|start datetime|event start|begins
    dtstart|beginnt am|beginn|startdatum|data rozpoczecia|poczatek|data i godzina rozpoczecia|date de debut|debut
    fecha de inicio|fecha de comienzo|data inizio|data di inizio|begindatum|datum zahajeni|zacatek|begin date
    start date and time|startdatum uhrzeit|when|wann|wanneer|kiedy|cuando|quand|von|datum von|anfang|anfangsdatum
    beginn datum|datum beginn|veranstaltungsdatum|date of event|date of the event|datum des anlasses|event date
    date debut|date et heure de debut|date de l evenement|inicio|fecha inicio|fecha inicial|fecha y hora de inicio
    fecha del evento|desde|data od|od|data poczatku|data poczatkowa|data startu|data wydarzenia|startdatum en tijd
    datum van|datum begin|begin|aanvang|van|from date|startdate|startdatetime|start at|starts on|start datum
    datum start|beginndatum|datum der veranstaltung|termin von|termin od|startdato|startdatum och tid|startdato og tid
    start dato|startar|borjar|fran datum|datum fran|fran|starter|starter den|begynder|begynner|fra dato|dato fra|fra
    hvornar|nar|alkamispaiva|alkupaiva|alkupvm|aloituspaiva|alkaa|alku|milloin|kezdes datuma|kezdo datum|kezdesi datum
    kezdo idopont|kezdes|kezdete|kezdet|kezdodik|mikor|datum konani|datum zacatku|termin konani|zahajeni|pocatek|kdy
    datum konania|datum zaciatku|zaciatok|kedy|rozpoczecie|od kiedy|aanvangsdatum|datum vanaf|vanaf|data de inicio
    data inicio|data inicial|data e hora de inicio|comeca em|comeca|data do evento|a partir de|data e ora inizio
    data e ora di inizio|data ora inizio|inizio|dal|data evento|data dell evento|match date|game date|spieldatum
    date du match|fecha del partido|data meczu|data partita|data do jogo|matchdatum|kampdato|wedstrijddatum
    datum och tid|dato og tid|dato og klokkeslaet|dato og klokkeslett|dato tid|paivamaara ja aika|pvm ja aika
    datum es ido|datum ido|datum a cas|datum cas|data i czas|data e hora|data hora|date time|date and time|datetime
    datum uhrzeit|datum und uhrzeit|datum zeit|date et heure|date heure|fecha y hora|fecha hora|data i godzina
    data godzina|data e ora|data ora|datum en tijd|datum tijd|date|datum|data|fecha|termin|tag|jour|dia|dzien|day|dag
    giorno|from|du|dato|pvm|paiva|paivamaara|nap|den|idopont|ajankohta|tidspunkt|aika|alkamisaika|kick off|kickoff
    anstoss|anpfiff|spielbeginn|coup d envoi|avspark|kampstart|matchstart|aftrap|vykop
    дата начала|дата и время начала|дата проведения|дата мероприятия|дата события|дата и время|начало|дата|когда
    день|дата початку|дата і час початку|дата та час початку|дата проведення|дата заходу|дата подіі|дата і час
    дата та час|початок|коли|начална дата|датум почетка|почетак|датум|ημερομηνια εναρξης
    ημερομηνια και ωρα εναρξης|ημερομηνια εκδηλωσης|ημερομηνια και ωρα|εναρξη|ημερομηνια|ημ νια|ποτε|απο|ημερα
    baslangic tarihi|baslama tarihi|baslangic tarihi ve saati|etkinlik tarihi|tarih ve saat|tarih saat|baslangic
    tarih|ne zaman|gun|data de inceput|data inceput|data inceperii|data de incepere|data incepere
    data si ora de inceput|data evenimentului|data eveniment|data desfasurarii|data si ora|inceput|incepe|cand
    de la|ziua|開始日|開始日時|開催日|開催日時|開催年月日|実施日|開催期間|日時|日付|年月日|日程|期間|開始|开始日期
    起始日期|活动日期|举办日期|日期|开始|開始日期|活動日期|舉辦日期|시작 날짜|시작날짜|시작일|시작일시|시작 일시
    행사일|행사일자|행사일시|행사 일시|행사기간|행사 기간|개최일|개최일시|일시|일자|날짜|기간|시작`,
  start_time: `
    event start time|start time|showtime|show time|seance|seances|beginnt um|startzeit|godzina rozpoczecia|czas rozpoczecia|heure de debut
    hora de inicio|hora de comienzo|ora inizio|ora di inizio|begintijd|cas zahajeni|begin time|beginn zeit
    beginn uhrzeit|uhrzeit von|uhrzeit beginn|anfangszeit|zeit von|von uhrzeit|heure debut|heure de commencement
    hora inicio|hora inicial|godz rozpoczecia|godzina od|starttijd|aanvangstijd|tijd van|tijd begin|begin tijd
    time of event|time of the event|event time|starttime|start uhrzeit|startuhrzeit|anfangsuhrzeit|beginnzeit
    veranstaltungszeit|heure de l evenement|hora del evento|godzina wydarzenia|from time|time from|time|uhrzeit|zeit
    godzina|godz|heure|hora|ora|tijd|czas|cas|horaire|horaires|horario|kick off|kickoff|kick off time|tip off|face off
    anstoss|anstosszeit|anpfiff|spielbeginn|coup d envoi|avspark|kampstart|matchstart|aftrap|vykop|starttid
    starttidpunkt|starttidspunkt|start tidspunkt|start kl|borjar kl|begynder kl|fra kl|tid fran|tid fra|klockslag
    klockan|klokken|klokkeslaet|klokkeslett|klokka|kl|uhr|tidspunkt|tid|alkamisaika|aloitusaika|alkuaika|alkaa klo
    kellonaika|kello|klo|aika|kezdes ideje|kezdesi ido|kezdes idopontja|idopont|ido|cas zacatku|cas zaciatku|cas od
    hodina|tijd vanaf|vanaf tijd|tijdstip|uur|horario de inicio|hora do evento|orario inizio|orario di inizio
    dalle ore|dalle|alle ore|orario|orari
    время начала|время проведения|время|час початку|час проведення|година|начален час|час|време почетка|време
    ωρα εναρξης|ωρα|baslangic saati|baslama saati|etkinlik saati|saat|ora de inceput|ora inceput|ora inceperii
    開始時間|開始時刻|開演時間|開演時刻|開演|時間|時刻|开始时间|起始时间|活动时间|时间|起始時間|活動時間|시작 시간
    시작시간|시작 시각|행사시간|행사 시간|시간`,
  end_date: `
    event end date|end date|date to|end|ends|ends at|end date time|end datetime|event end|dtend|endet am|ende|enddatum
    data zakonczenia|koniec|date de fin|fin|fecha de finalizacion|fecha de fin|data fine|data di fine|einddatum
    datum ukonceni|konec|end date and time|bis|datum bis|ende datum|datum ende|endet|date fin|date et heure de fin
    jusqu au|enddate|enddatetime|end at|ends on|end datum|termin bis|termin do|fecha fin|fecha final|hasta|final
    data do|do|data konca|data koncowa|datum tot|datum einde|einde|tot|tot en met|slut|to date|finish|until|to|au
    slutdatum|slutar|till datum|datum till|till|t o m|slutdato|slutter|til dato|dato til|til|slutt|sluttdato
    slutt dato|paattymispaiva|loppupaiva|loppupvm|lopetuspaiva|paattyy|loppuu|loppu|asti|befejezes datuma
    befejezo datum|zaro datum|befejezes|vege|vegdatum|datum konce|datum do|ukonceni|datum konca|zakonczenie|t m
    data de fim|data fim|data final|fim|data de termino|data e hora de fim|termino|termina|ate|encerramento
    data e ora fine|data ora fine|data termine|data di termine|fino al|fine|al
    дата окончания|дата завершения|дата и время окончания|окончание|завершение|конец|до|дата закінчення
    дата завершення|дата і час закінчення|дата та час закінчення|закінчення|завершення|кінець|краина дата|краи
    датум завршетка|крај|ημερομηνια ληξης|ημερομηνια και ωρα ληξης|ληξη|εως|μεχρι|bitis tarihi
    bitis tarihi ve saati|bitis|data de sfarsit|data sfarsit|data de incheiere|data incheierii|data finalizarii
    data terminarii|data terminare|data si ora de sfarsit|sfarsit|se termina|pana la|終了日|終了日時|終了|结束日期
    结束|結束日期|結束|종료 날짜|종료날짜|종료일|종료일시|종료 일시|끝 날짜|종료`,
  end_time: `
    event end time|end time|endet um|endzeit|godzina zakonczenia|czas zakonczenia|heure de fin|hora de finalizacion
    hora de fin|ora fine|ora di fine|eindtijd|cas ukonceni|finish time|uhrzeit bis|uhrzeit ende|zeit bis|bis uhrzeit
    heure fin|hora fin|hora final|godz zakonczenia|godzina do|tijd tot|tijd einde|einde tijd|endtime|end uhrzeit
    enduhrzeit|endeuhrzeit|to time|time to|sluttid|sluttidpunkt|sluttidspunkt|slutar kl|slut kl|slutter kl|slutt kl
    till kl|til kl|tid till|tid til|paattymisaika|lopetusaika|loppuaika|paattyy klo|befejezes ideje
    befejezes idopontja|zaro idopont|cas konce|cas konca|cas do|hora de fim|hora fim|hora de termino
    horario de termino|hora de encerramento|orario fine|orario di fine|fino alle|alle
    время окончания|время завершения|час закінчення|час завершення|краен час|време завршетка|ωρα ληξης|bitis saati
    ora de sfarsit|ora sfarsit|ora de incheiere|終了時間|終了時刻|終演時間|終演|结束时间|結束時間|종료 시간
    종료시간|종료 시각`,
  duration: `
    duration|duration min|duration mins|duration minutes|duration in minutes|duration h|duration hrs|duration hours
    duration in hours|event duration|running time|dauer|dauer min|dauer minuten|dauer in minuten|dauer in min|dauer h
    dauer std|dauer stunden|dauer in stunden|spieldauer|duree|duree min|duree minutes|duree en minutes|duree h
    duree heures|duree en heures|duracion|duracion min|duracion minutos|duracion en minutos|duracion h|duracion horas
    duracion en horas|czas trwania|czas trwania min|czas trwania w minutach|duur|duur min|duur in minuten|duur in uren
    durata|durata min|trvani|varaktighet|varighed|varighet|kesto|idotartam|doba trvani|duracao|duracao min
    duracao minutos
    продолжительность|длительность|тривалість|διαρκεια|sure|suresi|所要時間|时长|持续时间|時長|소요시간|소요 시간`,
  all_day: `
    all day event|all day|allday|ganztagiges ereignis|ganztagig|wydarzenie calodniowe|zdarzenie calodniowe|caly dzien
    journee entiere|todo el dia|tutto il giorno|hele dag|celodenni udalost|ganztags|toute la journee|jour entier
    todo el dia evento|calodniowe|hele dag evenement|heldag|hela dagen|heldagsevenemang|hele dagen|heldags|koko paiva
    koko paivan|kokopaivainen|egesz nap|egesz napos|egesznapos|cely den|celodenni|dia inteiro|dia todo|o dia todo
    todo o dia|giornata intera|intera giornata
    весь день|целыи день|увесь день|цілии день|ολη μερα|ολη την ημερα|ολοημερο|tum gun|toata ziua|終日
    終日イベント|全天|全天事件|全天活动|全天活動|종일|하루 종일`,
  timezone: `
    event time zone|event timezone|timezone|time zone|tz|zeitzone|strefa czasowa|fuseau horaire|zona horaria
    fuso orario|tijdzone|zone|tidszon|tidszone|tidssone|aikavyohyke|idozona|casove pasmo|fuso horario
    часовои пояс|часовии пояс|ζωνη ωρας|saat dilimi|fus orar|タイムゾーン|时区|時區|시간대`,
  recurrence: `
    recurrence|recurrence rule|rrule|repeat rule|wiederholung|wiederholungsregel|powtarzanie|regla de recurrencia
    regle de recurrence|herhaling|powtarzanie wydarzenia|rrule string|upprepning|gentagelse|gjentakelse|toistuvuus
    ismetlodes|opakovani|recorrencia|repeticao|ricorrenza|ripetizione
    повторение|повторення|επαναληψη|tekrar|repetare|recurenta|繰り返し|重复|重複|반복`,
  exdates: 'exdate|exdates|excluded dates|exceptions|ausnahmen|wyjatki|uitzonderingen',
  venue: `
    event venue name|venue name|event venue|venue|location|veranstaltungsort|spielort|veranstaltungsstatte
    evenemangsplats|plats|lokal|ort|place|where|miejsce|lokalizacja|lieu|lugar|ubicacion|luogo|locatie|misto|wo
    veranstaltungsraum|raum|saal|location name|venue place|ou|lieu de l evenement|salle|endroit|lugar del evento|sede
    recinto|donde|sitio|miejsce wydarzenia|gdzie|sala|obiekt|plaats van evenement|waar|zaal|room|hall|var|spillested
    sted|lokale|lokation|lokasjon|hvor|tapahtumapaikka|pitopaikka|paikka|sijainti|missa|helyszin|hely|hol|terem
    misto konani|kde|lokalita|sal|miesto konania|miesto|plek|accommodatie|local do evento|local|localizacao|onde
    espaco|luogo evento|luogo dell evento|dove|impianto|spielstatte|sportstatte|sporthalle|halle|stadion|stade|gymnase
    platz|ground|stadium|pitch|arena|estadio|boisko|hala|kentta|hriste|palya|campo|place of event|location of event
    treffpunkt|lokalitat|meeting point|rendez vous|kirche
    место проведения|место|площадка|локация|где|зал|місце проведення|місце|локація|де|място|къде|место одржавања
    τοποθεσια|χωρος διεξαγωγης|χωρος|τοπος|που|etkinlik yeri|yer|mekan|konum|nerede|salon|locul desfasurarii
    loc de desfasurare|locatia|locul|loc|unde|場所名称|会場名|開催場所|会場|場所|開催地|施設名|活动地点|地点|场地
    场馆|位置|活動地點|地點|場地|場館|행사장소|행사 장소|개최장소|공연장소|장소|위치`,
  address: `
    venue address|address|street|adresse|adres|direccion|indirizzo|anschrift|strasse|strasse und hausnummer
    location address|adresse postale|adresse du lieu|rue|domicilio|calle|ulica|adres miejsca|straat|adress|gatuadress
    gata|besoksadress|gateadresse|besoksadresse|gate|vej|gade|osoite|katuosoite|cim|utca|adresa|ulice
    straat en huisnummer|endereco|morada|rua|via
    адрес|адрес проведения|улица|адреса|вулиця|διευθυνση|οδος|cadde|sokak|strada|住所|所在地|地址|详细地址
    詳細地址|주소`,
  city: `
    venue city|city|town|location city|location town|venue town|stadt|miasto|ville|ciudad|citta|stad|plaats
    mesto|gemeinde|ort name|commune|localidad
    municipio|miejscowosc|gmina|gemeente|woonplaats|ort|postort|tatort|kommun|kommune|poststed|by|kaupunki|paikkakunta
    kunta|postitoimipaikka|varos|telepules|obec|cidade|localidade|concelho|comune|localita
    город|населенныи пункт|місто|населении пункт|πολη|δημος|sehir|ilce|oras|localitate|localitatea|市区町村名
    市区町村|城市|도시|시군구`,
  state: `
    venue state province|venue state|state|location state|location region|venue region|region|province
    bundesland|wojewodztwo|lan|fylke|maakunta|megye|provincie
    provincia|distrito|regione
    область|регион|регіон|judet|περιφερεια|νομος|都道府県名|都道府県|省|省份`,
  zip: `
    venue zip|zip|zip code|location postcode|location zip|venue postcode|postcode|postal code|plz|postleitzahl
    kod pocztowy|code postal|codigo postal|cp|postnummer
    postnr|postinumero|iranyitoszam|irsz|psc|cep|cap|codice postale
    почтовыи индекс|индекс|поштовии індекс|індекс|ταχυδρομικος κωδικας|τ κ|posta kodu|cod postal|郵便番号|邮编
    邮政编码|郵遞區號|우편번호`,
  country: `
    venue country|country|location country|land|kraj|pays|pais|paese|maa|orszag|zeme|nazione
    страна|краіна|χωρα|ulke|tara|国|国家|國家|국가`,
  venue_phone: `
    venue phone|venue telephone|location phone|telefon des veranstaltungsorts|telephone du lieu|telefono del lugar`,
  venue_website: `
    venue website|venue url|location website|website des veranstaltungsorts|site web du lieu`,
  latitude: `
    venue latitude|latitude|lat|location latitude|location lat|venue lat|geo lat|breitengrad
    szerokosc geograficzna|latitud|latitudine|breedtegraad|breddegrad
    breddgrad|leveysaste|zemepisna sirka|szelesseg
    широта|γεωγραφικο πλατος|enlem|緯度|纬度|위도|coordinates|venue coordinates|location coordinates|gps coordinates
    geo coordinates|coordinate|gps|lat long|lat lng|lat lon|latitude longitude|koordinaten|gps koordinaten|coordonnees gps
    coordenadas|coordenadas gps|coordinate gps|wspolrzedne|wspolrzedne gps|souradnice|gps souradnice|coordinaten`,
  longitude: `
    venue longitude|longitude|lng|location longitude|location lng|location lon|venue lng|venue lon|lon|long
    geo lng|langengrad|dlugosc geograficzna|longitud|longitudine|lengtegraad
    langdgrad|lengdegrad|laengdegrad|pituusaste|zemepisna delka|hosszusag
    долгота|довгота|γεωγραφικο μηκος|boylam|経度|经度|經度|경도`,
  organizer: `
    event organizer name s or id s|event organizer names or ids|event organizer name s|event organizer name
    event organizer|organizer name|organizers|organizer|organiser|meeting organizer|besprechungsplanung|veranstalter
    organizator|organisateur|organizador|organizzatore|department|group|host|ausrichter|organisation|organisator
    organizer s|organise par|organiser name|organizadora|organizacion|organizuje|organizatorzy|organisatie
    organised by|contact organisation|arrangor|jarjestaja|szervezo|poradatel|usporiadatel|organizacao|promotor
    organizzato da|ente organizzatore|a cura di|verein|forening|yhdistys|egyesulet|spolek|vereniging|associazione
    associacao|asociacion|association|anbieter
    организатор|организаторы|організатор|організатори|διοργανωτης|διοργανωση|duzenleyen|duzenleyici|organizatorul
    organizatori|主催者名|主催者|主催団体|主催|主办方|主办单位|组织者|主辦方|主辦單位|주최자|주최기관|주최|주관`,
  organizer_email: `
    organizer email|event organizer email|organizer e mail|organizer mail|organiser email|organiser e mail
    e mail of the organizer|email of the organizer|veranstalter e mail|veranstalter email|veranstalter mail
    e mail veranstalter|email veranstalter|e mail des veranstalters|email organisateur|e mail organisateur
    email de l organisateur|e mail de l organisateur|courriel de l organisateur|email del organizador|correo del organizador
    correo electronico del organizador|email organizzatore|e mail organizatora|email organizatora
    adres e mail organizatora|email organisator|e mail organisator`,
  organizer_phone: `
    organizer phone|event organizer phone|organizer telephone|organiser phone|organiser telephone|veranstalter telefon
    telefon veranstalter|telefon des veranstalters|telephone de l organisateur|telephone organisateur
    telefono del organizador|telefono organizzatore|telefon organizatora|telefoon organisator`,
  organizer_website: `
    organizer website|event organizer website|organizer url|organizer link|organiser website|organiser url
    veranstalter website|veranstalter webseite|website des veranstalters|webseite des veranstalters
    site web de l organisateur|site de l organisateur|sitio web del organizador|web del organizador
    sito organizzatore|sito web organizzatore|strona organizatora|website organisator`,
  categories: `
    event category|event categories|categories|category|event types|event type|kategorien|kategorie|kategorii
    kategoria|categorie|categoria|categorias|rubrik|rubriken|art|art der veranstaltung|sparte|type|type d evenement
    theme|thematique|categories evenement|tipo|tipo de evento|tematica|rodzaj|typ|typ wydarzenia|soort|rubriek|genre
    kategori|evenemangstyp|luokka|tyyppi|tapahtumatyyppi|tipus|temakor|typ akce|druh|druh akce|zanr|gatunek|genero
    tipologia|genere|rassegna
    категория|категории|тип мероприятия|вид мероприятия|рубрика|жанр|тип|вид|категорія|категоріі|тип заходу
    тип подіі|κατηγορια|κατηγοριες|ειδος|kategoriler|etkinlik turu|tur|categorii|tipul evenimentului|tip eveniment
    カテゴリー|カテゴリ|イベント種別|種別|分類|ジャンル|分类|类别|活动类型|类型|類別|活動類型|類型|카테고리
    행사유형|분류|구분|장르`,
  tags: `
    event tags|tags|keywords|schlagworter|stichworter|tagi|etiquetas|etichette|schlagwort|stichwort|tag s|mots cles
    mot cle|palabras clave|slowa kluczowe|trefwoorden|labels|nyckelord|taggar|nogleord|emneord|avainsanat|asiasanat
    cimkek|stitky|klicova slova|palavras chave|parole chiave
    теги|метки|ключевые слова|мітки|ключові слова|ετικετες|λεξεις κλειδια|etiketler|anahtar kelimeler|etichete
    cuvinte cheie|タグ|キーワード|标签|关键词|標籤|關鍵字|태그|키워드`,
  cost: `
    event cost|cost|price|ticket price|preis|eintritt|cena|koszt|prix|precio|prezzo|prijs|kosten|eintrittspreis|preise
    tarif|tarifs|prix d entree|cout|coste|costo|entrada|precios|tarifa|bilety|cena biletu|oplata|wstep|toegangsprijs
    toegang|entree|admission|tickets|fee|pris|biljettpris|intrade|avgift|kostnad|billetpris|billettpris|inngang|hinta
    paasymaksu|lipun hinta|liput|belepo|belepodij|belepojegy|jegyar|ar|vstupne|vstup|cena vstupenky|bilet|preco|custo
    bilhete|ingresso|ingressos|valor|biglietto|biglietti|entre|gebuhr|teilnahmegebuhr|entgelt|ticketpreis|kartenpreis
    unkostenbeitrag|entry fee|entry|admission fee
    цена|стоимость|цена билета|стоимость билета|билеты|вход|плата|ціна|вартість|ціна квитка|вартість квитка|квитки
    вхід|τιμη|κοστος|τιμη εισιτηριου|εισοδος|εισιτηρια|εισιτηριο|fiyat|ucret|giris ucreti|bilet fiyati|giris|pret
    pret bilet|pretul biletului|intrare|bilete|taxa|料金|料金 基本|参加費|参加料|入場料|受講料|費用|価格|价格|票价
    费用|門票|票價|價格|가격|요금|이용요금|관람료|참가비|입장료|비용`,
  website: `
    event website|website|event url|url|link|webseite|homepage|strona|strona www|site web|sitio web|sito web
    ticket url|web|ticket link|page url|webadresse|internet|internetadresse|weblink|more info|lien
    site internet|adresse internet
    pagina web|enlace|web del evento|adres www|odnosnik|link do wydarzenia|webadres|homepage url|permalink|www|lank
    webbplats|webbsida|hemsida|webbadress|hjemmeside|webside|nettside|nettsted|lenke|verkkosivu|verkkosivut|kotisivu
    linkki|weboldal|honlap|webova stranka|odkaz|stranka|site do evento|ligacao|pagina|sito|sito internet|collegamento
    саит|веб саит|ссылка|адрес саита|посилання|ιστοσελιδα|ιστοτοπος|συνδεσμος|web sitesi|baglanti|internet adresi
    adresa web|legatura|リンク|ホームページ|ウェブサイト|公式サイト|関連url|网址|网站|链接|官网|網址|網站|連結
    홈페이지|홈페이지주소|홈페이지 주소|웹사이트|누리집|링크`,
  image: `
    event featured image|featured image|image|image url|photo url|photo|bild|obraz|zdjecie|imagen|immagine|afbeelding
    bild url|bilder|foto|image a la une|affiche|imagen url|cartel|grafika|plakat|afbeelding url|picture|billede|bilde
    kuva|kep|obrazek|obrazok|imagem
    изображение|фото|картинка|афиша|зображення|афіша|εικονα|φωτογραφια|αφισα|resim|gorsel|fotograf|afis|imagine
    fotografie|画像|写真|图片|照片|海报|圖片|海報|이미지|사진|포스터`,
  uid: `
    uid|ical uid|external id|event id|uuid|guid|eventid|event uid|unique id|identifier|veranstaltungs id|termin id
    identifiant|identificador|identyfikator|kennung|id|spielkennung|match id|game id|tunniste|azonosito`,
  status: `
    event status|status|event state|reservation status|veranstaltungsstatus|statut|estado|stan|allapot|stav|situacao
    stato
    статус|состояние|стан|κατασταση|durum|durumu|stare|starea|状態|ステータス|開催状況|状态|狀態|상태|진행상태`,
  cancelled: `
    cancelled|canceled|is cancelled|is canceled|event cancelled|event canceled|abgesagt|fallt aus|annule|cancelado
    cancelada|annullato|odwolane|afgelast|geannuleerd|installt|installd|aflyst|avlyst|peruttu|elmarad|torolve|zruseno
    zrusene|annullata|cancelamento
    отменено|отменен|отмена|скасовано|відмінено|ακυρωθηκε|ακυρωμενο|iptal|iptal edildi|anulat|anulata|中止|取消
    已取消|취소`,
  private: `
    private|privat|prywatne|prive|privado|privato|vertraulich|confidentiel|yksityinen|soukrome
    личное|частное|приватне|ιδιωτικο|非公開|私人|비공개`,
  published: `
    published|publish|is published|public|is public|approved|freigegeben|veroffentlicht|veroffentlichen|offentlich
    publie|publier|publique|approuve|publicado|publicar|publico|aprobado|pubblicato|pubblicare|pubblico|approvato
    gepubliceerd|publiceren|openbaar|goedgekeurd|opublikowane|publikowac|publiczne|zatwierdzone|publikovat|verejne
    schvaleno|publicerad|publicera|offentlig|godkand|udgivet|godkendt|publisert|godkjent|julkaistu|julkinen
    aprovado|опубликовано|опубліковано`,
  sensitivity: 'sensitivity|vertraulichkeit|visibility',
  featured: 'feature event|featured|featured event',
  sticky: 'event sticky in month view|sticky in month view|sticky',
  hide_from_listings: 'hide event from event listings|hide from event listings|hide from listings|event hide',
  show_map: 'event show map|show map',
  show_map_link: 'event show map link|show map link',
} as const;

/** Titles that give way to the two sides of a game: next to those, they are often numbers, places or sections. */
const LATE_TITLES = `
    begegnung|paarung|fixture|match|game|spiel|rencontre|partido|partita|mecz|wedstrijd|kamp|ottelu|zapas|jogo
    merkozes|program|programme|programm|ohjelma|rubrik|cim|course|class|session|show|film|movie|concert
    talk|workshop|exhibition|kurs|konzert|vorstellung|auffuhrung|vortrag|ausstellung|gottesdienst|spectacle|atelier
    cours|exposition|conference|concierto|curso|taller|exposicion|espectaculo|koncert|spektakl|zajecia|corso|mostra
    concerto|cursus|forestilling|konsert|kurssi|konsertti|eloadas|tanfolyam|kurz|predstaveni|opponent|gegner
    adversaire|rival|avversario|adversario|motstandare|modstander|motstander|vastustaja|ellenfel|souper|przeciwnik
    tegenstander`;

/** The two sides of a game, which are its title if the table has no other. */
const HOSTS = `
    home team|home|home club|hometeam|host team|heimmannschaft|heim|heimteam|heimverein|gastgeber|equipe domicile
    equipe a domicile|domicile|recevant|club recevant|equipe recevante|equipo local|squadra casa|squadra di casa|casa
    in casa|hemmalag|hemma|hjemmehold|hjemmelag|hjemme|kotijoukkue|koti|hazai csapat|hazai|domaci tym|domaci druzstvo
    domaci|gospodarz|gospodarze|thuisploeg|thuisteam|thuisclub|thuis|equipa da casa|equipe mandante|mandante|visitado
    team 1|team a|mannschaft 1|mannschaft a|equipe 1|equipe a|equipo 1|equipo a|squadra 1|squadra a|lag 1|hold 1
    joukkue 1|csapat 1|tym 1|druzyna 1|ploeg 1|equipa 1|local|locales`;
const GUESTS = `
    away team|away|away club|awayteam|visiting team|visitor|visitors|guest team|guest|gastmannschaft|gast|gaste|gastteam
    gastverein|auswarts|auswartsmannschaft|equipe exterieur|equipe a l exterieur|exterieur|visiteur|visiteurs
    club visiteur|equipe visiteuse|equipo visitante|visitante|visitantes|squadra ospite|squadra ospiti|ospite|ospiti
    trasferta|fuori casa|bortalag|borta|udehold|ude|bortelag|borte|vierasjoukkue|vieras|vendeg csapat|vendeg|hoste
    hostujici tym|hostia|gosc|goscie|uitploeg|uitteam|uitclub|uit|equipa visitante|equipe visitante|team 2|team b
    mannschaft 2|mannschaft b|equipe 2|equipe b|equipo 2|equipo b|squadra 2|squadra b|lag 2|hold 2|joukkue 2|csapat 2
    tym 2|druzyna 2|ploeg 2|equipa 2`;

/** The fields that a column may hold. A date column may also contain times. */
export type ColumnField = keyof typeof COLUMN_NAMES;

const namesIn = (words: string): readonly string[] => words.trim().split(/\s*[|\n]\s*/);

// Object.entries loses the type of the keys, which are those of the table.
const FIELDS = Object.entries(COLUMN_NAMES) as readonly (readonly [ColumnField, string])[];
/** The known names of each field, folded; earlier ones win. */
export const NAMES_OF: ReadonlyMap<ColumnField, readonly string[]> = new Map(
  FIELDS.map(([field, words]) => [field, namesIn(words)]),
);
export const LATE_TITLE_NAMES = namesIn(LATE_TITLES);
export const [HOST_NAMES, GUEST_NAMES] = [namesIn(HOSTS), namesIn(GUESTS)];
/**
 * The headers in Microsoft Forms for when a form was completed and by whom: in English, German, French, Spanish,
 * Italian, Dutch, Polish.
 */
const COMPLETIONS = `
    completion time|fertigstellungszeit|heure de fin|hora de finalizacion|ora di completamento|tijd van voltooien
    godzina ukonczenia`;
const SENDERS = `
    email|e mail|adresse de messagerie|correo electronico|indirizzo di posta elettronica|posta elettronica|adres e mail
    name|nom|nombre|nome|naam|nazwa`;

export const [COMPLETION_NAMES, SENDER_NAMES] = [namesIn(COMPLETIONS), namesIn(SENDERS)];
