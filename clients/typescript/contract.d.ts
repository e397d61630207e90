export interface paths {
    "/api/v1": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What this token may do, and where
         * @description Any valid token will do.
         */
        get: operations["index"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The account behind this token
         * @description The account behind the token. Needs no ability: it suits a health check. Any valid token will do.
         */
        get: operations["account.show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/team": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The team, its plan and ceilings
         * @description The team, its plan and ceilings. Needs the ability account:read.
         */
        get: operations["team.show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The credit balance
         * @description The credit balance of the team. Needs the ability account:read.
         */
        get: operations["credits.show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credits/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The credit ledger, newest first
         * @description The credit ledger, newest first. Needs the ability account:read.
         */
        get: operations["credits.transactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitoring/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * When monitoring last ran
         * @description When monitoring last ran. Needs the ability account:read.
         */
        get: operations["monitoring.runs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This description
         * @description Any valid token will do.
         */
        get: operations["openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reports, newest first
         * @description Reports of the team, newest first. Needs the ability reports:read.
         */
        get: operations["reports.list"];
        put?: never;
        /**
         * Request a report
         * @description Requests a report. It costs one credit, is pending at first and complete within seconds. Needs the ability reports:write.
         */
        post: operations["reports.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/{report}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One report
         * @description One report. Needs the ability reports:read.
         */
        get: operations["reports.show"];
        put?: never;
        post?: never;
        /**
         * Delete a report and its document
         * @description Deletes a report and its document. The credit is not returned. Answers true. Needs the ability reports:write.
         */
        delete: operations["reports.destroy"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/{report}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The records a report cites
         * @description The records that a report cites, newest first. Needs the ability reports:read.
         */
        get: operations["reports.events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/{report}/verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a report can be verified by
         * @description What a complete report can be verified by. Needs the ability reports:read.
         */
        get: operations["reports.verification"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/{report}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The document of a report
         * @description Needs the ability reports:export.
         */
        get: operations["reports.pdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/{report}/pdf/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A short-lived link to the document
         * @description Needs the ability reports:export.
         */
        post: operations["reports.pdf.link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request up to 25 reports
         * @description Requests up to 25 reports. Each accepted row costs one credit; rows run in order. Needs the ability reports:write.
         */
        post: operations["reports.batch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/properties": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watched properties
         * @description Properties of the team, newest first. Needs the ability properties:read.
         */
        get: operations["properties.list"];
        put?: never;
        /**
         * Watch a property
         * @description Keeps a property at an address; a team keeps an address once. It is watched unless its status says otherwise. Needs the ability properties:write.
         */
        post: operations["properties.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/properties/{property}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One property with its contacts
         * @description One property with its contacts. Needs the ability properties:read.
         */
        get: operations["properties.show"];
        put?: never;
        post?: never;
        /**
         * Remove a property
         * @description Removes a property with its contacts and exposures; its reports stay. Answers true. Needs the ability properties:write.
         */
        delete: operations["properties.destroy"];
        options?: never;
        head?: never;
        /**
         * Change a property
         * @description Changes what is sent of a property; null clears label, reference and notes. A new address is located anew, and leaves coordinates sent before behind; new coordinates alone keep the address. Needs the ability properties:write.
         */
        patch: operations["properties.update"];
        trace?: never;
    };
    "/api/v1/properties/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Watch up to 100 properties
         * @description Keeps up to 100 properties; rows run in order, each as if sent alone. Needs the ability properties:write.
         */
        post: operations["properties.batch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/properties/{property}/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a report for a property
         * @description Requests a report about a property. It costs one credit. Needs the ability properties:write.
         */
        post: operations["properties.reports.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/properties/{property}/exposures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Exposures near a property
         * @description Storm days and warnings near a property, newest first. Needs the ability properties:read.
         */
        get: operations["properties.exposures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/properties/{property}/enrich": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fill in what is publicly known of a property
         * @description Locates a property anew and asks public records about it, where the plan and the install have them. Needs the ability properties:write.
         */
        post: operations["properties.enrich"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/properties/{property}/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Contacts of a property
         * @description Contacts of a property: the primary one first, then the oldest. Needs the ability properties:read.
         */
        get: operations["properties.contacts.list"];
        put?: never;
        /**
         * Add a contact
         * @description Adds a contact to a property. The first is the primary one. Needs the ability properties:write.
         */
        post: operations["properties.contacts.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/properties/{property}/contacts/{contact}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a contact
         * @description Removes a contact; the oldest left takes the place of the primary one. Answers true. Needs the ability properties:write.
         */
        delete: operations["properties.contacts.destroy"];
        options?: never;
        head?: never;
        /**
         * Change a contact
         * @description Changes what is sent of a contact; null clears company, phone, email and notes. Needs the ability properties:write.
         */
        patch: operations["properties.contacts.update"];
        trace?: never;
    };
    "/api/v1/territories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watched territories
         * @description Territories of the team, newest first. Needs the ability territories:read.
         */
        get: operations["territories.list"];
        put?: never;
        /**
         * Draw a territory
         * @description Draws a territory. It is watched unless its status says otherwise. Needs the ability territories:write.
         */
        post: operations["territories.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/territories/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Measure a territory without saving it
         * @description Measures a territory and says whether the plan has room for it; nothing is saved. Needs the ability territories:write.
         */
        post: operations["territories.quote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/territories/{territory}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One territory
         * @description One territory. Needs the ability territories:read.
         */
        get: operations["territories.show"];
        put?: never;
        post?: never;
        /**
         * Remove a territory
         * @description Removes a territory with its exposures. Answers true. Needs the ability territories:write.
         */
        delete: operations["territories.destroy"];
        options?: never;
        head?: never;
        /**
         * Change a territory
         * @description Changes what is sent of a territory, and measures it anew where that moves it; null clears the notes. Needs the ability territories:write.
         */
        patch: operations["territories.update"];
        trace?: never;
    };
    "/api/v1/territories/{territory}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Watch, pause or archive a territory
         * @description Watches, pauses or archives a territory. Needs the ability territories:write.
         */
        post: operations["territories.status"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/territories/{territory}/exposures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Exposures inside a territory
         * @description Storm days and warnings inside a territory, newest first. Needs the ability territories:read.
         */
        get: operations["territories.exposures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/places": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up a place by name
         * @description Places by name, at most 20. Needs the ability territories:read.
         */
        get: operations["places.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exposures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Storm days and warnings at watched places
         * @description Storm days and warnings at watched places, newest first. Needs the ability exposures:read.
         */
        get: operations["exposures.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exposures/{exposure}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One exposure
         * @description One exposure. Needs the ability exposures:read.
         */
        get: operations["exposures.show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exposures/{exposure}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Acknowledge or dismiss an exposure
         * @description Takes an exposure off the inbox: seen, or set aside with dismiss. Needs the ability exposures:write.
         */
        post: operations["exposures.acknowledge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exposures/{exposure}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reopen an exposure
         * @description Puts an exposure back in the inbox. Needs the ability exposures:write.
         */
        post: operations["exposures.reopen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Registered destinations
         * @description Destinations of the team, newest first. Needs the ability integrations:read.
         */
        get: operations["integrations.list"];
        put?: never;
        /**
         * Register a destination
         * @description Registers a destination; at most 10 a team. Needs the ability integrations:write.
         */
        post: operations["integrations.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrations/{integration}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One destination
         * @description One destination. Needs the ability integrations:read.
         */
        get: operations["integrations.show"];
        put?: never;
        post?: never;
        /**
         * Remove a destination
         * @description Removes a destination; the ledger keeps what was sent to it. Needs the ability integrations:write.
         */
        delete: operations["integrations.destroy"];
        options?: never;
        head?: never;
        /**
         * Change a destination
         * @description Changes what is sent of a destination; an absent url keeps the saved one. Needs the ability integrations:write.
         */
        patch: operations["integrations.update"];
        trace?: never;
    };
    "/api/v1/integrations/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The events a destination can subscribe to
         * @description Every event that a destination can subscribe to. Needs the ability integrations:read.
         */
        get: operations["integrations.events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrations/{integration}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test post
         * @description Sends one test post and returns its outcome. Needs the ability integrations:write.
         */
        post: operations["integrations.test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrations/{integration}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The signing secret
         * @description The signing secret of a destination. Needs the ability integrations:write.
         */
        get: operations["integrations.secret.show"];
        put?: never;
        /**
         * Rotate the signing secret
         * @description Replaces the signing secret; the old one stops at once. Needs the ability integrations:write.
         */
        post: operations["integrations.secret.rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrations/{integration}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Deliveries to one destination
         * @description Deliveries to one destination, newest first. Needs the ability integrations:read.
         */
        get: operations["integrations.deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrations/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Deliveries to every destination
         * @description Every delivery of the team, newest first. Needs the ability integrations:read.
         */
        get: operations["deliveries.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tiles/{z}/{x}/{y}.mvt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A vector tile of the archive
         * @description Needs the ability maps:read.
         */
        get: operations["maps.tile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/playback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A storm day over a box
         * @description A storm day over a box of at most 6 by 6 degrees. Needs the ability maps:read.
         */
        get: operations["maps.playback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "exposure.detected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Storm day detected
         * @description A storm day enters the record near a watched property or inside a watched territory. Delivered at least once, and not always in order: repeats carry the same id.
         */
        post: operations["webhooks.exposure.detected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "exposure.escalated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Storm day escalated
         * @description A storm day already posted grows: its measured hail reaches a higher band, or a tornado arrives. Delivered at least once, and not always in order: repeats carry the same id.
         */
        post: operations["webhooks.exposure.escalated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "warning.issued": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Warning issued
         * @description An official warning is in force over a watched place; once for each warning, on plans with live warnings. Names the exposures of all places that it is over, and carries the first 50. Delivered at least once, and not always in order: repeats carry the same id.
         */
        post: operations["webhooks.warning.issued"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "digest.sent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Morning digest
         * @description The morning digest of what was announced since 7 AM of the day before, as the team receives it by e-mail. Delivered at least once, and not always in order: repeats carry the same id.
         */
        post: operations["webhooks.digest.sent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "property.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Property saved
         * @description A property is saved, with its address, location, contacts and reference. Delivered at least once, and not always in order: repeats carry the same id.
         */
        post: operations["webhooks.property.created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "property.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Property changed
         * @description The address, reach, status, contacts or reference of a property changes, or someone sends it to a CRM. Delivered at least once, and not always in order: repeats carry the same id.
         */
        post: operations["webhooks.property.updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "property.archived": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Property archived
         * @description A property stops being watched. Delivered at least once, and not always in order: repeats carry the same id.
         */
        post: operations["webhooks.property.archived"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "report.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report completed
         * @description A requested report finishes generating, with its window, findings and property. The PDF follows separately. Delivered at least once, and not always in order: repeats carry the same id.
         */
        post: operations["webhooks.report.completed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "report.pdf_ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report PDF ready
         * @description The PDF of a report is rendered and stored: the report again, with download links. Delivered at least once, and not always in order: repeats carry the same id.
         */
        post: operations["webhooks.report.pdf_ready"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "report.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report failed
         * @description A requested report cannot be compiled: the report with its reason. It costs no credit. Delivered at least once, and not always in order: repeats carry the same id.
         */
        post: operations["webhooks.report.failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description The account behind a token. */
        Account: {
            /**
             * @description Always `account`.
             * @constant
             */
            object: "account";
            /** @description The team in short. */
            team: components["schemas"]["AccountTeam"];
            /** @description What reports may ask for. */
            limits: components["schemas"]["AccountLimits"];
            /** @description Credits of the period. */
            credits: components["schemas"]["CreditSummary"];
            /** @description The token that asks. */
            token: components["schemas"]["AccountToken"];
        };
        /** @description The team in short. */
        AccountTeam: {
            /** @description Name of the team. */
            name: string;
            /** @description Tier in force. */
            plan: components["schemas"]["Tier"];
            /** @description Name of the tier. */
            plan_label: string;
            /** @description True during the trial. */
            on_trial: boolean;
            /** @description True where the plan has lapsed: reading goes on, what costs or watches is refused. */
            lapsed: boolean;
        };
        /**
         * @description A plan, lowest first.
         * @enum {string}
         */
        Tier: "free" | "starter" | "professional" | "business" | "enterprise";
        /** @description What reports may ask for. */
        AccountLimits: {
            /** @description How far back a window may reach, in years. */
            lookback_years: number;
            /** @description Largest radius of a report, in miles. */
            max_radius_miles: number;
            /** @description Reports that the plan allows for in a period. */
            monthly_reports: number;
            /** @description Reports paid for in this period, failed ones not counted. */
            reports_used: number;
            /** @description What is left of monthly_reports, at least 0. Only the balance refuses. */
            reports_remaining: number;
            /** @description True where the plan exports PDFs. */
            pdf_export: boolean;
        };
        /** @description Credits of the period. A report costs one. */
        CreditSummary: {
            /** @description Credits that can be spent now. */
            balance: number;
            /** @description Credits granted at each renewal. */
            monthly_allowance: number;
            /** @description Credits spent since the renewal, less those returned. */
            used_this_period: number;
            /**
             * Format: date-time
             * @description When the next period begins.
             */
            renews_at: string;
        };
        /** @description The token that asks. */
        AccountToken: {
            /** @description Name given at issue. */
            name: string;
            /** @description First nine characters of the token. */
            prefix: string;
            /** @description What the token may do. */
            abilities: components["schemas"]["Ability"][];
            /**
             * Format: date-time
             * @description When it expires; null for never.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was last used, to the minute.
             */
            last_used_at: string;
        };
        /**
         * @description What a token may do.
         * @enum {string}
         */
        Ability: "reports:read" | "reports:write" | "reports:export" | "maps:read" | "properties:read" | "properties:write" | "territories:read" | "territories:write" | "exposures:read" | "exposures:write" | "account:read" | "integrations:read" | "integrations:write";
        /** @description The team, its plan and ceilings. */
        Team: {
            /**
             * @description Always `team`.
             * @constant
             */
            object: "team";
            /** @description Name of the team. */
            name: string;
            /** @description IANA time zone of the team. */
            timezone: string;
            /** @description The plan in force. */
            plan: components["schemas"]["TeamPlan"];
            /** @description What the plan opens. */
            includes: components["schemas"]["TeamIncludes"];
            /** @description The ceilings of the plan. */
            limits: components["schemas"]["TeamLimits"];
            /** @description Credits of the period. */
            credits: components["schemas"]["CreditSummary"];
            /** @description Where to read on. */
            links: components["schemas"]["TeamLinks"];
        };
        /** @description The plan in force. */
        TeamPlan: {
            /** @description Tier in force. */
            tier: components["schemas"]["Tier"];
            /** @description Name of the tier. */
            label: string;
            /** @description True during the trial. */
            on_trial: boolean;
            /** @description True where the plan has lapsed: reading goes on, what costs or watches is refused. */
            lapsed: boolean;
        };
        /** @description What the plan opens. */
        TeamIncludes: {
            /** @description This API. */
            api: boolean;
            /** @description PDFs of reports. */
            pdf_export: boolean;
            /** @description Station observations in reports. */
            observations: boolean;
            /** @description Photographs in reports. */
            imagery: boolean;
            /** @description Layouts composed by the caller. */
            compose_layout: boolean;
            /** @description The team's own mark on documents. */
            report_branding: boolean;
            /** @description Public records of properties. */
            property_intelligence: boolean;
            /** @description Official warnings at watched places. */
            live_warnings: boolean;
            /** @description Storm days at watched places. */
            record_alerts: boolean;
        };
        /** @description The ceilings of the plan. */
        TeamLimits: {
            /** @description How far back a window may reach, in years. */
            lookback_years: number;
            /** @description Largest radius of a report, in miles. */
            max_radius_miles: number;
            /** @description Properties held, and how many may be. */
            properties: components["schemas"]["HeldProperties"];
            /** @description Territories held, and how many and how large they may be. */
            territories: components["schemas"]["HeldTerritories"];
            /** @description Largest watch radius of a property, in miles. */
            watch_radius_miles: number;
        };
        /** @description Properties held, and how many may be. */
        HeldProperties: {
            /** @description Watched and paused; archived ones do not count. */
            held: number;
            /** @description How many may be held. */
            limit: number;
        };
        /** @description Territories held, and how many and how large they may be. */
        HeldTerritories: {
            /** @description Watched and paused; archived ones do not count. */
            held: number;
            /** @description How many may be held. */
            limit: number;
            /** @description Largest area of one, in square miles. */
            max_area_sq_miles: number;
        };
        /** @description Where to read on. */
        TeamLinks: {
            /**
             * Format: uri
             * @description The credit balance.
             */
            credits: string;
            /**
             * Format: uri
             * @description When monitoring last ran.
             */
            monitoring: string;
        };
        /** @description The credit balance of the team. */
        Credits: {
            /**
             * @description Always `credits`.
             * @constant
             */
            object: "credits";
            /** @description Credits that can be spent now. */
            balance: number;
            /** @description Credits granted at each renewal. */
            monthly_allowance: number;
            /** @description Credits spent since the renewal, less those returned. */
            used_this_period: number;
            /**
             * Format: date-time
             * @description When the next period begins.
             */
            renews_at: string;
            /** @description Credits of the period before that were not used and lapsed at the renewal. */
            lapsed_this_period: number;
            /** @description Where to read on. */
            links: components["schemas"]["CreditsLinks"];
        };
        /** @description Where to read on. */
        CreditsLinks: {
            /**
             * Format: uri
             * @description The ledger.
             */
            transactions: string;
        };
        /** @description One page of a listing. */
        CreditTransactionPage: {
            /** @description The rows of this page. */
            data: components["schemas"]["CreditTransaction"][];
            /** @description Addresses of other pages, with the filters sent. */
            links: components["schemas"]["PageLinks"];
            /** @description Where this page stands in the listing. */
            meta: components["schemas"]["PageMeta"];
        };
        /** @description One entry of the credit ledger. */
        CreditTransaction: {
            /** @description Id of the entry. */
            id: number;
            /**
             * @description Always `credit_transaction`.
             * @constant
             */
            object: "credit_transaction";
            /** @description Why credits moved. */
            kind: components["schemas"]["CreditKind"];
            /** @description Credits; negative for those that went. */
            amount: number;
            /** @description The balance with this entry. */
            balance_after: number;
            /** @description What it was for. */
            description: string;
            /** @description The operator's note on a correction. */
            note: string | null;
            /**
             * Format: uuid
             * @description The report that it paid for or that it was returned for, deleted ones too.
             */
            report_id: string | null;
            /**
             * Format: date-time
             * @description When credits moved.
             */
            created_at: string;
        };
        /**
         * @description Why credits moved.
         * @enum {string}
         */
        CreditKind: "spend" | "refund" | "allowance" | "lapse" | "top_up" | "adjustment";
        /** @description Addresses of other pages of a listing. */
        PageLinks: {
            /**
             * Format: uri
             * @description The first page.
             */
            first: string;
            /**
             * Format: uri
             * @description The last page.
             */
            last: string;
            /**
             * Format: uri
             * @description The page before; null on the first.
             */
            prev: string | null;
            /**
             * Format: uri
             * @description The page after; null on the last.
             */
            next: string | null;
        };
        /** @description Where a page stands in its listing. */
        PageMeta: {
            /** @description This page, from 1. */
            current_page: number;
            /** @description Number of the first row, from 1; null on an empty page. */
            from: number | null;
            /** @description The last page; 1 where nothing is listed. */
            last_page: number;
            /** @description Address of the listing. */
            path: string;
            /** @description The size used. */
            per_page: number;
            /** @description Number of the last row; null on an empty page. */
            to: number | null;
            /** @description Rows on all pages. */
            total: number;
        };
        /** @description The newest runs, and how each lane stands. */
        MonitoringRunList: {
            /**
             * @description Always `list`.
             * @constant
             */
            object: "list";
            /** @description The newest 100 runs, newest first. */
            data: components["schemas"]["MonitoringRun"][];
            /** @description How each lane stands. */
            lanes: components["schemas"]["MonitoringLane"][];
        };
        /** @description One run of a lane: it distinguishes quiet from stopped. */
        MonitoringRun: {
            /**
             * @description Always `monitoring_run`.
             * @constant
             */
            object: "monitoring_run";
            /** @description The lane that ran. */
            lane: components["schemas"]["LaneName"];
            /** @description Name of the lane. */
            lane_label: string;
            /** @description How the run stands. */
            status: components["schemas"]["RunStatus"];
            /**
             * Format: date-time
             * @description When it began.
             */
            started_at: string;
            /**
             * Format: date-time
             * @description When it ended; null while it runs.
             */
            finished_at: string | null;
            /**
             * Format: date-time
             * @description Up to when the lane has read its sources.
             */
            watermark: string | null;
            /** @description Records or warnings new to the lane. */
            candidates: number;
            /** @description Exposures made or changed. */
            written: number;
            /** @description Events emitted. */
            notified: number;
            /** @description Why it failed; null where it did not. */
            failure_reason: string | null;
        };
        /**
         * @description What a lane of monitoring reads.
         * @enum {string}
         */
        LaneName: "record" | "warnings" | "surfaces";
        /**
         * @description How a run stands.
         * @enum {string}
         */
        RunStatus: "running" | "complete" | "failed";
        /** @description How a lane of monitoring stands. */
        MonitoringLane: {
            /**
             * @description Always `monitoring_lane`.
             * @constant
             */
            object: "monitoring_lane";
            /** @description The lane. */
            lane: components["schemas"]["LaneName"];
            /** @description Name of the lane. */
            lane_label: string;
            /** @description How it stands. */
            state: components["schemas"]["LaneState"];
            /**
             * Format: date-time
             * @description When a run was last completed.
             */
            last_complete_at: string | null;
            /**
             * Format: date-time
             * @description Up to when the lane has read its sources.
             */
            watermark: string | null;
            /** @description Seconds between two runs. */
            expected_every_seconds: number;
        };
        /**
         * @description How a lane stands: stalled where nothing was completed for three intervals, off where it was never turned on.
         * @enum {string}
         */
        LaneState: "off" | "running" | "quiet" | "stalled" | "failing";
        /** @description One page of a listing. */
        ReportPage: {
            /** @description The rows of this page. */
            data: components["schemas"]["Report"][];
            /** @description Addresses of other pages, with the filters sent. */
            links: components["schemas"]["PageLinks"];
            /** @description Where this page stands in the listing. */
            meta: components["schemas"]["PageMeta"];
        };
        /** @description A weather report on one address and window. */
        Report: {
            /**
             * Format: uuid
             * @description Id of the report.
             */
            id: string;
            /**
             * @description Always `report`.
             * @constant
             */
            object: "report";
            /** @description How the report stands. */
            status: components["schemas"]["ReportStatus"];
            /** @description The address as sent and as located. */
            address: components["schemas"]["ReportAddress"];
            /** @description The days and the circle searched. */
            window: components["schemas"]["ReportWindow"];
            /**
             * Format: date-time
             * @description The moment as of which the archive was asked: what it learned later is left out. Null where it was asked as it was.
             */
            as_of: string | null;
            /**
             * Format: date
             * @description The date that it answers for first, a local day of the place; null where none was sent.
             */
            date_of_loss: string | null;
            /** @description What is recorded of that date and of the two days before and after it; null until complete and without a date of loss. */
            day_of_loss: components["schemas"]["DayOfLoss"] | null;
            /** @description The date of loss, the days near it with records or warnings, and up to 12 other days that stand out, newest first; null until complete and without a date of loss. */
            days: components["schemas"]["ReportDay"][] | null;
            /**
             * Format: uuid
             * @description The saved property it is filed under.
             */
            property_id: string | null;
            /** @description The caller's own reference, as sent. */
            reference: string | null;
            /** @description Printed on the cover, as sent. */
            recipient: string | null;
            /** @description Records cited; 0 until complete. */
            event_count: number;
            /** @description Station observations used; 0 until complete. */
            observation_count: number;
            /** @description What the archive held of the window. */
            coverage: components["schemas"]["ReportCoverage"];
            /** @description One clause of at most 120 characters about the one record to know of first; null until complete. */
            headline: string | null;
            /** @description What is said where nothing is cited; null where something is, and until complete. */
            nothing_found: string | null;
            /** @description One finding a family, strongest first; null until complete. */
            findings: components["schemas"]["Finding"][] | null;
            /** @description SHA-256 of the evidence, 64 hex digits; null until complete. */
            fingerprint: string | null;
            /** @description By which version of the rules it was made: docs/methodology.md says what each changed. Null until complete. */
            methodology_version: string | null;
            /** @description Why it failed; it costs no credit then. */
            failure_reason: components["schemas"]["FailureReason"] | null;
            /** @description Why it failed, in a sentence that names what is at fault. */
            failure_message: string | null;
            /** @description Tier of the team when it was requested. */
            plan_tier: components["schemas"]["Tier"];
            /** @description How the document is laid out. */
            layout: components["schemas"]["Layout"];
            /**
             * Format: date-time
             * @description When it was requested.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was completed.
             */
            generated_at: string | null;
            /** @description The document of the report. */
            pdf: components["schemas"]["ReportPdf"];
            /** @description Where to read on. */
            links: components["schemas"]["ReportLinks"];
        };
        /**
         * @description How a report stands; complete and failed are final.
         * @enum {string}
         */
        ReportStatus: "pending" | "complete" | "failed";
        /** @description The address as sent and as located; all but query are null until located. */
        ReportAddress: {
            /** @description The address as sent. */
            query: string;
            /** @description House number and street. */
            street: string | null;
            /** @description City. */
            city: string | null;
            /** @description Two-letter code of the state. */
            state: string | null;
            /** @description ZIP code. */
            postal_code: string | null;
            /** @description Name of the county. */
            county: string | null;
            /** @description Degrees north, 5 decimals. */
            latitude: number | null;
            /** @description Degrees east, 5 decimals. */
            longitude: number | null;
            /** @description How exactly it was located: with zip or city, distances are from the centre of that area. */
            precision: components["schemas"]["PlacePrecision"] | null;
        };
        /**
         * @description How exactly an address was located.
         * @enum {string}
         */
        PlacePrecision: "point" | "range" | "zip" | "city";
        /** @description The days and the circle searched. */
        ReportWindow: {
            /**
             * Format: date
             * @description First day.
             */
            start: string;
            /**
             * Format: date
             * @description Last day.
             */
            end: string;
            /** @description Radius around the address, in miles. */
            radius_miles: number;
            /** @description True where the plan moved the start up or made the radius smaller. */
            narrowed_by_plan: boolean;
        };
        /** @description What is recorded of the date of loss and of the two days before and after it. */
        DayOfLoss: {
            /**
             * Format: date
             * @description The date of loss.
             */
            date: string;
            /** @description The answer in sentences, the date itself first. */
            statement: string;
            /** @description By distance, the smallest first. */
            rings: components["schemas"]["DayOfLossRing"][];
            /** @description Official warnings over the place, the earliest first. */
            warnings: components["schemas"]["DayOfLossWarning"][];
        };
        /** @description What lies within so many miles: 1, 3 and 10, as far as the report looks. */
        DayOfLossRing: {
            /** @description Miles. */
            radius_miles: number;
            /** @description Records of the date that name a point in it. */
            records: number;
            /** @description The same of the two days before and after it. */
            near_records: number;
            /** @description The strongest of each hazard by each channel. */
            strongest: components["schemas"]["StrongestRecord"][];
        };
        /** @description The strongest record of one hazard by one channel. */
        StrongestRecord: {
            /** @description Of the date itself, or of a day near it. */
            relation: components["schemas"]["DayRelation"];
            /** @description What it is of. */
            hazard: components["schemas"]["Hazard"];
            /** @description By whose word. */
            channel: components["schemas"]["EvidenceKind"];
            /**
             * Format: date
             * @description Its own local date.
             */
            occurred_on: string;
            /** @description Inches. */
            hail_size_in: number | null;
            /** @description Miles an hour. */
            wind_mph: number | null;
            /** @description On the scale that its row states. */
            tornado_rating: string | null;
            /** @description Its own distance. */
            distance_miles: number;
            /** @description Compass point from the place. */
            bearing: string | null;
            /**
             * Format: uri
             * @description Where its source states it.
             */
            citation_url: string;
        };
        /**
         * @description How a day stands to the date of loss; near is within two days of it.
         * @enum {string}
         */
        DayRelation: "date_of_loss" | "near" | "other";
        /**
         * @description What a date of loss is asked about.
         * @enum {string}
         */
        Hazard: "hail" | "wind" | "tornado";
        /**
         * @description How it was seen: by people at the ground, by an instrument, or by radar.
         * @enum {string}
         */
        EvidenceKind: "ground" | "instrument" | "radar";
        /** @description A time under an official warning. */
        DayOfLossWarning: {
            /** @description Whether it meets the date itself, or a day near it. */
            relation: components["schemas"]["DayRelation"];
            /** @description Severe Thunderstorm Warning, and so on. */
            event: string;
            /** @description The office that issued it. */
            office_name: string;
            /**
             * Format: date-time
             * @description From when the place was under it.
             */
            from: string;
            /**
             * Format: date-time
             * @description Until when.
             */
            until: string;
            /**
             * Format: uri
             * @description Where it is stated.
             */
            citation_url: string;
        };
        /** @description What is recorded of one local day within the radius of the report. No figure is of a doubted record. */
        ReportDay: {
            /**
             * Format: date
             * @description The day.
             */
            date: string;
            /** @description Hail of the day. */
            hail: components["schemas"]["HailDay"];
            /** @description Wind of the day. */
            wind: components["schemas"]["WindDay"];
            /** @description Tornadoes of the day. */
            tornado: components["schemas"]["TornadoDay"];
            /** @description Official warnings in force over the place at some time of the day. */
            warnings: number;
            /** @description Records of the day, those that name a county or a zone too. */
            records: number;
            /** @description How it stands to the date of loss. */
            relation: components["schemas"]["DayRelation"];
        };
        /** @description Hail of one day. */
        HailDay: {
            /** @description Largest that was reported or measured, in inches. */
            ground_in: number | null;
            /** @description Largest that radar estimated aloft, in inches. */
            radar_in: number | null;
            /** @description Distance of the nearest that was reported or measured. */
            nearest_miles: number | null;
        };
        /** @description Wind of one day, in miles an hour. */
        WindDay: {
            /** @description Strongest that people reported. */
            ground_mph: number | null;
            /** @description Strongest that an instrument measured. */
            instrument_mph: number | null;
            /** @description Distance of the nearest record of wind. */
            nearest_miles: number | null;
        };
        /** @description Tornadoes of one day; a funnel cloud is none. */
        TornadoDay: {
            /** @description Of the strongest, on the scale that its row states. */
            rating: string | null;
            /** @description Distance of the nearest. */
            nearest_miles: number | null;
        };
        /** @description What the archive held of the window. */
        ReportCoverage: {
            /** @description True where all that is needed was held. */
            complete: boolean;
            /** @description True where part of the window lies after the final record. */
            provisional: boolean;
            /** @description The same in words; null until complete. */
            summary: string | null;
            /** @description Sources that hold some of the window, those that found nothing too. */
            sources_searched: components["schemas"]["SourceId"][];
            /** @description Forecast-zone records of the state in the window that no zone table places: not cited, and the report is not authoritative where there are any. Null until complete. */
            unplaced_zone_records: number | null;
        };
        /**
         * @description A source of the archive.
         * @enum {string}
         */
        SourceId: "noaa_storm_events" | "noaa_spc_reports" | "nws_lsr" | "noaa_mesh" | "nexrad_hail" | "nws_warnings" | "asos" | "nws_zones" | "sample";
        /** @description What the cited records of one family say together. */
        Finding: {
            /** @description The family of the records. */
            family: components["schemas"]["Family"];
            /** @description Name of the family. */
            family_label: string;
            /** @description Cited records of the family. */
            event_count: number;
            /** @description The highest severity among them. */
            peak_severity: components["schemas"]["Severity"];
            /** @description How they were seen. */
            evidence_kinds: components["schemas"]["EvidenceKind"][];
            /** @description The same in words. */
            evidence_labels: string[];
            /** @description Local dates with records, newest first. */
            dates: string[];
            /**
             * Format: date
             * @description The newest of the dates.
             */
            most_recent: string;
            /** @description Largest hail with a place, in inches; of county and zone records only where there is nothing else. */
            peak_hail_in: number | null;
            /** @description Strongest wind or gust, in miles an hour. */
            peak_wind_mph: number | null;
            /** @description Highest tornado rating, 0 to 5. */
            peak_tornado_ef: number | null;
            /** @description The same on the scale that the row states: F3 in 1991, EF3 from February 2007 on. */
            peak_tornado_rating: string | null;
            /** @description Distance of the nearest record, in miles; null where all name a county or a zone. */
            nearest_miles: number | null;
            /** @description True where any was seen at the ground or measured. */
            any_observed: boolean;
            /** @description How well the evidence agrees on the best day. */
            confidence: components["schemas"]["Confidence"];
            /** @description The same in words, with its reason. */
            confidence_label: string;
            /** @description The finding in sentences, each figure with the distance and day of its own record. */
            statement: string;
        };
        /**
         * @description Types that can corroborate one another.
         * @enum {string}
         */
        Family: "thunderstorm" | "flash_flood" | "flood" | "coastal" | "wind" | "tropical" | "winter" | "cold" | "heat" | "fire" | "visibility" | "drought" | "other";
        /**
         * @description How severe it was; unknown where the record states no magnitude.
         * @enum {string}
         */
        Severity: "unknown" | "minor" | "moderate" | "severe" | "extreme";
        /**
         * @description How well the evidence agrees.
         * @enum {string}
         */
        Confidence: "high" | "medium" | "low";
        /**
         * @description Why a report failed.
         * @enum {string}
         */
        FailureReason: "address_not_found" | "address_ambiguous" | "outside_coverage" | "sources_unavailable" | "timed_out" | "internal_error";
        /** @description How the document is laid out. Cover, coverage with its limits, and verification are always printed. */
        Layout: {
            /** @description Sections in their order. */
            sections: components["schemas"]["LayoutSection"][];
            /** @description Pictures. */
            imagery: components["schemas"]["LayoutImagery"][];
            /** @description Parts within sections. */
            elements: components["schemas"]["LayoutElement"][];
            /** @description The map; null for none. */
            map: components["schemas"]["LayoutMap"] | null;
        };
        /**
         * @description A section of the document.
         * @enum {string}
         */
        LayoutSection: "summary" | "findings" | "map" | "timeline" | "events" | "observations" | "warnings" | "imagery" | "methodology";
        /**
         * @description Pictures in the document.
         * @enum {string}
         */
        LayoutImagery: "aerial" | "street_view" | "radar";
        /**
         * @description Parts within sections.
         * @enum {string}
         */
        LayoutElement: "key_figures" | "timeline_chart" | "distance_rings" | "narratives" | "evidence_badges" | "prior_events" | "branding";
        /** @description The map of the document. */
        LayoutMap: {
            /** @description What lies under the map. */
            base: components["schemas"]["MapBase"];
            /** @description What lies on the map. */
            layers: components["schemas"]["MapLayer"][];
        };
        /**
         * @description What lies under the map.
         * @enum {string}
         */
        MapBase: "plain" | "streets" | "aerial";
        /**
         * @description What lies on the map.
         * @enum {string}
         */
        MapLayer: "hail" | "wind" | "tornado" | "tornado_paths" | "flood" | "other" | "radar_hail" | "warnings" | "rings";
        /** @description The document of the report. */
        ReportPdf: {
            /** @description Null until rendered. */
            status: components["schemas"]["PdfStatus"] | null;
            /**
             * Format: date-time
             * @description When it was rendered.
             */
            rendered_at: string | null;
        };
        /**
         * @description How the document stands.
         * @enum {string}
         */
        PdfStatus: "ready" | "failed";
        /** @description Where to read on. */
        ReportLinks: {
            /**
             * Format: uri
             * @description The report.
             */
            self: string;
            /**
             * Format: uri
             * @description The records it cites; null until complete.
             */
            events: string | null;
            /**
             * Format: uri
             * @description Its document; null until complete.
             */
            pdf: string | null;
        };
        /** @description One page of a listing. */
        ExposurePage: {
            /** @description The rows of this page. */
            data: components["schemas"]["Exposure"][];
            /** @description Addresses of other pages, with the filters sent. */
            links: components["schemas"]["PageLinks"];
            /** @description Where this page stands in the listing. */
            meta: components["schemas"]["PageMeta"];
        };
        /** @description A storm day, or an official warning, at one watched place. */
        Exposure: {
            /** @description Id of the exposure. */
            id: number;
            /**
             * @description Always `exposure`.
             * @constant
             */
            object: "exposure";
            /** @description A storm day or a warning. */
            kind: components["schemas"]["ExposureKind"];
            /**
             * Format: date
             * @description The day, in local time of the records; of a warning the day of its issue.
             */
            date: string;
            /** @description The watched place. */
            subject: components["schemas"]["ExposureSubject"];
            /** @description What happened in one line. */
            headline: string;
            /** @description Ground and instrument records. */
            reports: number;
            /** @description Distinct sources of all records. */
            sources: number;
            /** @description Ground and instrument records by what they report. */
            families: components["schemas"]["ExposureFamilies"];
            /** @description Largest hail of ground and instrument records, in inches. */
            largest_measured_in: number | null;
            /** @description Largest hail estimated by radar, in inches. */
            largest_detected_in: number | null;
            /** @description Strongest gust, in miles an hour. */
            max_gust_mph: number | null;
            /** @description Miles to the nearest record; 0 for a territory. */
            nearest_miles: number | null;
            /** @description Whether a person or an instrument recorded it. */
            observed: boolean;
            /** @description Whether a record of it is preliminary. */
            provisional: boolean;
            /** @description Kinds of evidence present. */
            evidence: components["schemas"]["EvidenceKind"][];
            /** @description Ids of its archived records. */
            record_ids: number[];
            /** @description The warning; null for a storm day. */
            warning: components["schemas"]["Warning"] | null;
            /**
             * Format: date-time
             * @description When it was found, in microseconds.
             */
            first_seen_at: string;
            /**
             * Format: date-time
             * @description When anything of it last changed, in microseconds: the value to send as `since`.
             */
            last_seen_at: string;
            /**
             * Format: date-time
             * @description When it was announced; null where it was not.
             */
            notified_at: string | null;
            /**
             * Format: date-time
             * @description When it was acknowledged.
             */
            acknowledged_at: string | null;
            /**
             * Format: date-time
             * @description When it was set aside.
             */
            dismissed_at: string | null;
            /**
             * Format: uuid
             * @description The newest complete report of the property whose window holds the day.
             */
            report_id: string | null;
            /** @description Where to read on. */
            links: components["schemas"]["ExposureLinks"];
            /** @description True where its records are made up. */
            sample: boolean;
        };
        /**
         * @description Record: a storm day of the archive. Warning: an official warning.
         * @enum {string}
         */
        ExposureKind: "record" | "warning";
        /** @description The watched place that an exposure is about. */
        ExposureSubject: {
            /**
             * Format: uuid
             * @description Id of the property or the territory.
             */
            id: string;
            /** @description Which of the two it is. */
            object: components["schemas"]["WatchSubject"];
            /** @description What it is called. */
            name: string;
            /** @description How exactly a property is known: with zip or city, distances are from the centre of that area. Null of a territory. */
            precision: components["schemas"]["PlacePrecision"] | null;
        };
        /**
         * @description A kind of watched place.
         * @enum {string}
         */
        WatchSubject: "property" | "territory";
        /** @description Ground and instrument records by what they report. */
        ExposureFamilies: {
            /** @description Hail. */
            hail: number;
            /** @description Wind. */
            wind: number;
            /** @description Tornadoes, funnel clouds and waterspouts. */
            tornado: number;
            /** @description Anything else. */
            other: number;
        };
        /** @description An official warning as the newest message that speaks of the place left it. */
        Warning: {
            /**
             * @description Always `warning`.
             * @constant
             */
            object: "warning";
            /** @description Identifier of the message. */
            identifier: string;
            /** @description What is warned of, in the words of the agency. */
            event: string;
            /** @description Headline of the message. */
            headline: string | null;
            /** @description Status of the message, lower case: actual. */
            status: string;
            /** @description Type of the message, lower case: alert, update or cancel. */
            message_type: string;
            /** @description How severe it may be. */
            severity: components["schemas"]["WarningSeverity"];
            /** @description How certain it is. */
            certainty: components["schemas"]["WarningCertainty"];
            /** @description How soon to act. */
            urgency: components["schemas"]["WarningUrgency"];
            /**
             * Format: date-time
             * @description When it was issued.
             */
            issued_at: string;
            /**
             * Format: date-time
             * @description When the event is expected to begin.
             */
            onset_at: string | null;
            /**
             * Format: date-time
             * @description When the message expires.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When the event is expected to end.
             */
            ends_at: string | null;
            /** @description Whether the place is under it now. */
            in_force: boolean;
            /**
             * Format: date-time
             * @description When it was cancelled.
             */
            cancelled_at: string | null;
            /** @description Who issued it. */
            office: components["schemas"]["WarningOffice"];
            /** @description Its event code (VTEC). */
            vtec: string;
            /** @description Two letters of the phenomenon. */
            phenomenon: string;
            /** @description W: a warning. */
            significance: string;
            /** @description Number of the event at its office in its year. */
            tracking_number: number;
            /** @description What may happen. */
            threats: components["schemas"]["WarningThreats"];
            /** @description The area in words. */
            area: string | null;
            /** @description What the agency asks people to do. */
            instruction: string | null;
            /** @description The polygon; null where counties alone give the area, and where the polygon cannot be true. */
            geometry: (components["schemas"]["Polygon"] | components["schemas"]["MultiPolygon"]) | null;
            /**
             * @description storm: a polygon was drawn. zone: the counties stand for it.
             * @enum {string}
             */
            geometry_basis: "storm" | "zone";
            /**
             * Format: uri
             * @description Where the warning is archived.
             */
            citation_url: string;
            /** @description When the place was under it: while the area of one of its messages was over the place. */
            periods: components["schemas"]["WarningPeriod"][];
        };
        /**
         * @description How severe the warned of event may be.
         * @enum {string}
         */
        WarningSeverity: "extreme" | "severe" | "moderate" | "minor" | "unknown";
        /**
         * @description How certain it is.
         * @enum {string}
         */
        WarningCertainty: "observed" | "likely" | "possible" | "unlikely" | "unknown";
        /**
         * @description How soon to act.
         * @enum {string}
         */
        WarningUrgency: "immediate" | "expected" | "future" | "past" | "unknown";
        /** @description The office that issued a warning. */
        WarningOffice: {
            /** @description Its four letters. */
            id: string;
            /** @description Its name. */
            name: string;
        };
        /** @description What a warning says may happen; null where it is silent. */
        WarningThreats: {
            /** @description Largest hail in inches. */
            max_hail_in: number | null;
            /**
             * @description What the size is known from.
             * @enum {string|null}
             */
            hail_basis: "radar_indicated" | "observed" | null;
            /** @description Strongest gust in miles an hour. */
            max_gust_mph: number | null;
            /**
             * @description What the gust is known from.
             * @enum {string|null}
             */
            wind_basis: "radar_indicated" | "observed" | null;
            /** @description What it says of a tornado. */
            tornado: string | null;
            /** @description What it says of a flash flood. */
            flash_flood: string | null;
            /**
             * @description Its threat tag.
             * @enum {string|null}
             */
            damage: "base" | "considerable" | "destructive" | "catastrophic" | null;
        };
        /** @description A GeoJSON Polygon: its outer ring, then its holes. */
        Polygon: {
            /** @constant */
            type: "Polygon";
            coordinates: number[][][];
        };
        /** @description A GeoJSON MultiPolygon of at most 100 polygons. */
        MultiPolygon: {
            /** @constant */
            type: "MultiPolygon";
            coordinates: number[][][][];
        };
        /** @description A GeoJSON Feature that wraps a shape; its properties are not read. */
        PolygonFeature: {
            /** @constant */
            type: "Feature";
            geometry: components["schemas"]["Polygon"] | components["schemas"]["MultiPolygon"];
            properties?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description A time during which the place was under the warning. */
        WarningPeriod: {
            /**
             * Format: date-time
             * @description When it began.
             */
            from: string;
            /**
             * Format: date-time
             * @description When it ended, or is to end; exclusive.
             */
            until: string;
        };
        /** @description Where to read on. */
        ExposureLinks: {
            /**
             * Format: uri
             * @description The exposure.
             */
            self: string;
            /**
             * Format: uri
             * @description The watched place.
             */
            subject: string;
            /**
             * Format: uri
             * @description The report; null where there is none.
             */
            report: string | null;
        };
        /** @description One page of a listing. */
        CitedRecordPage: {
            /** @description The rows of this page. */
            data: components["schemas"]["CitedRecord"][];
            /** @description Addresses of other pages, with the filters sent. */
            links: components["schemas"]["PageLinks"];
            /** @description Where this page stands in the listing. */
            meta: components["schemas"]["PageMeta"];
        };
        /** @description A record as it stood when its report was published. */
        CitedRecord: {
            /** @description Id of the record in the archive. */
            id: number;
            /**
             * @description Always `weather_event`.
             * @constant
             */
            object: "weather_event";
            /** @description What happened. */
            type: components["schemas"]["RecordType"];
            /** @description Types that can corroborate one another. */
            family: components["schemas"]["Family"];
            /** @description How severe it was. */
            severity: components["schemas"]["Severity"];
            /**
             * Format: date
             * @description Local date at the record's own place.
             */
            occurred_on: string;
            /**
             * Format: date-time
             * @description When it began.
             */
            begins_at: string;
            /**
             * Format: date-time
             * @description When it ended.
             */
            ends_at: string | null;
            /** @description What the record states. */
            measurements: components["schemas"]["Measurements"];
            /** @description A tornado's rating on the scale that the row states: F3, EF3, EFU; null for all else. */
            tornado_rating: string | null;
            /** @description Where the record says it was. */
            location: components["schemas"]["RecordLocation"];
            /** @description What it means for the address. */
            relevance: components["schemas"]["RecordRelevance"];
            /** @description Where it comes from. */
            provenance: components["schemas"]["Provenance"];
            /** @description The source's own words, and notes on what was read into them. */
            description: string;
            /** @description True where the record is made up. */
            sample: boolean;
        };
        /**
         * @description What happened.
         * @enum {string}
         */
        RecordType: "hail" | "thunderstorm_wind" | "tornado" | "funnel_cloud" | "lightning" | "waterspout" | "marine_hail" | "marine_thunderstorm_wind" | "marine_lightning" | "flash_flood" | "heavy_rain" | "debris_flow" | "flood" | "lakeshore_flood" | "seiche" | "coastal_flood" | "storm_surge" | "high_surf" | "rip_current" | "sneaker_wave" | "astronomical_low_tide" | "tsunami" | "high_wind" | "strong_wind" | "marine_high_wind" | "marine_strong_wind" | "dust_devil" | "hurricane" | "tropical_storm" | "tropical_depression" | "marine_hurricane" | "marine_tropical_storm" | "marine_tropical_depression" | "blizzard" | "heavy_snow" | "ice_storm" | "lake_effect_snow" | "sleet" | "winter_storm" | "winter_weather" | "avalanche" | "marine_heavy_freezing_spray" | "cold_wind_chill" | "extreme_cold" | "frost_freeze" | "heat" | "excessive_heat" | "wildfire" | "dense_smoke" | "dense_fog" | "freezing_fog" | "dust_storm" | "marine_dense_fog" | "drought" | "volcanic_ash" | "other";
        /** @description What the record states; null for what it does not. */
        Measurements: {
            /** @description Sustained wind, in miles an hour. */
            wind_speed_mph: number | null;
            /** @description Gust, in miles an hour. */
            wind_gust_mph: number | null;
            /** @description Hail, in inches. */
            hail_size_in: number | null;
            /** @description Tornado rating, 0 to 5; null where unknown. */
            tornado_ef_scale: number | null;
        };
        /** @description Where the record says it was. */
        RecordLocation: {
            /** @description Degrees north; null for a county or zone. */
            latitude: number | null;
            /** @description Degrees east; null for a county or zone. */
            longitude: number | null;
            /** @description Name of the county. */
            county: string | null;
            /** @description Two-letter code of the state. */
            state: string | null;
            /** @description What the record says about where. */
            precision: components["schemas"]["Precision"];
            /** @description The forecast zone that the record names, such as NYZ010; null for every other precision. */
            zone: string | null;
            /** @description The zone's own name, where it is known. */
            zone_name: string | null;
        };
        /**
         * @description What a record says about where.
         * @enum {string}
         */
        Precision: "point" | "path" | "area" | "grid" | "county" | "zone";
        /** @description What the record means for the address. */
        RecordRelevance: {
            /** @description How near it is. */
            relevance: components["schemas"]["Relevance"];
            /** @description Miles from the address, 2 decimals; null for a county or zone. */
            distance_miles: number | null;
            /** @description Direction from the address; null without a distance or at the address. */
            bearing: components["schemas"]["CompassPoint"] | null;
        };
        /**
         * @description One of 16 directions, clockwise from north.
         * @enum {string}
         */
        CompassPoint: "N" | "NNE" | "NE" | "ENE" | "E" | "ESE" | "SE" | "SSE" | "S" | "SSW" | "SW" | "WSW" | "W" | "WNW" | "NW" | "NNW";
        /**
         * @description Primary: within 3 miles or over the address. Secondary: within 10. Context: beyond, or a county or zone.
         * @enum {string}
         */
        Relevance: "primary" | "secondary" | "context";
        /** @description Where the record comes from. */
        Provenance: {
            /** @description Identifier of the source. */
            source: components["schemas"]["SourceId"];
            /** @description The product, and whether it is final or preliminary. */
            source_label: string;
            /** @description How it was seen. */
            evidence_kind: components["schemas"]["EvidenceKind"];
            /** @description True where seen at the ground or measured, false for radar. */
            is_observed: boolean;
            /** @description How the magnitude was obtained; null without one. */
            qualifier: components["schemas"]["Qualifier"] | null;
            /** @description How the source makes its records. */
            methodology: string;
            /**
             * Format: uri
             * @description The source's own record.
             */
            citation_url: string;
            /** @description What is doubted of the record, in sentences; empty for most. */
            caveats: string[];
            /** @description The agency's file that states it; null where it was read before files were kept account of. */
            file: components["schemas"]["CitedFile"] | null;
        };
        /**
         * @description How a magnitude was obtained.
         * @enum {string}
         */
        Qualifier: "measured" | "estimated" | "surveyed" | "radar_estimated" | "unknown";
        /** @description The file of an agency that states a record, or an answer of its service. */
        CitedFile: {
            /** @description SHA-256 of the file as it was fetched, 64 lower-case hex digits. */
            sha256: string;
            /** @description Name of the file. */
            name: string;
            /** @description Where in it the record stands: a row, a report, a feature, or all of a radar grid. */
            span: components["schemas"]["FileSpan"];
        };
        /** @description Bytes of a file, or of what it unpacks to where it is gzip. */
        FileSpan: {
            /** @description Bytes before the first. */
            start: number;
            /** @description How many they are. */
            length: number;
        };
        /** @description What a report says of itself, and what it can be verified by. */
        Verification: {
            /**
             * @description Always `verification`.
             * @constant
             */
            object: "verification";
            /**
             * Format: uuid
             * @description Id of the report.
             */
            report_id: string;
            /** @description SHA-256 of the evidence, 64 hex digits. */
            fingerprint: string;
            /** @description Its first 16 digits, upper case, in four groups. */
            short_fingerprint: string;
            /**
             * Format: uri
             * @description The public page of the fingerprint.
             */
            verify_url: string;
            /**
             * Format: date-time
             * @description When the report was completed.
             */
            generated_at: string;
            /** @description The located address on one line. */
            place: string;
            /** @description The days and the circle searched. */
            window: components["schemas"]["VerificationWindow"];
            /**
             * Format: date-time
             * @description The moment as of which it was compiled: from what the archive knew then; null for when it was generated.
             */
            as_of: string | null;
            /**
             * Format: date
             * @description The date that it answers for first; null where none was sent.
             */
            date_of_loss: string | null;
            /** @description The report's headline. */
            finding: string;
            /** @description True where coverage was complete and final, and nothing was made up. */
            authoritative: boolean;
            /** @description Records cited. */
            records: number;
            /** @description Station observations used. */
            observations: number;
            /** @description Sources searched. */
            sources_searched: number;
            /** @description Sources with at least one record. */
            sources_found: number;
            /** @description Its place in the log of fingerprints; null until it has one, and of a report that is older than the log. */
            log: components["schemas"]["VerificationLog"] | null;
            /** @description Where to read on. */
            links: components["schemas"]["VerificationLinks"];
        };
        /** @description The days and the circle searched. */
        VerificationWindow: {
            /**
             * Format: date
             * @description First day.
             */
            start: string;
            /**
             * Format: date
             * @description Last day.
             */
            end: string;
            /** @description Radius around the address, in miles. */
            radius: number;
        };
        /** @description The place of a fingerprint in the log of this service, and what it is checked by. Bytes are base64. */
        VerificationLog: {
            /** @description The place of its entry, from 0. */
            index: number;
            /** @description Hashes of the tree (RFC 6962), from the entry's sibling to the root's child. */
            inclusion_proof: string[];
            /** @description The checkpoint under which it stands there: a note signed by the log, and by witnesses where there are any (C2SP tlog-checkpoint). */
            checkpoint: string;
            /** @description 32 bytes: the entry is the SHA-256 of "weather-report-log/1", a line feed, the salt, and the 32 bytes of the fingerprint. */
            salt: string;
            /** @description Time stamp of the checkpoint (RFC 3161 TimeStampToken); null where no authority stamped it. */
            timestamp: string | null;
        };
        /** @description Where to read on. */
        VerificationLinks: {
            /**
             * Format: uri
             * @description The report.
             */
            report: string;
        };
        /** @description A named place in the United States. */
        Place: {
            /** @description Id of the place; it never changes. */
            id: number;
            /**
             * @description Always `place`.
             * @constant
             */
            object: "place";
            /** @description Name of the place. */
            name: string;
            /** @description Name with the state, and the county where the state has several of the name. */
            full_name: string;
            /** @description Two-letter code of the state. */
            state: string;
            /** @description Degrees north. */
            latitude: number;
            /** @description Degrees east. */
            longitude: number;
        };
        /** @description One page of a listing. */
        ContactPage: {
            /** @description The rows of this page. */
            data: components["schemas"]["Contact"][];
            /** @description Addresses of other pages, with the filters sent. */
            links: components["schemas"]["PageLinks"];
            /** @description Where this page stands in the listing. */
            meta: components["schemas"]["PageMeta"];
        };
        /** @description Somebody to speak to about a property. Personal data. */
        Contact: {
            /** @description Id of the contact. */
            id: number;
            /**
             * @description Always `contact`.
             * @constant
             */
            object: "contact";
            /** @description Name of the person. */
            name: string;
            /** @description What the contact is to the property. */
            role: components["schemas"]["ContactRole"];
            /** @description Company of the person. */
            company: string | null;
            /** @description Telephone number, as sent. */
            phone: string | null;
            /** @description E-mail address. */
            email: string | null;
            /** @description Notes of the team. */
            notes: string | null;
            /** @description True for the one to ask first: every property with contacts has one. */
            primary: boolean;
            /** @description Who named the contact: the team, a public record or a list. */
            source: components["schemas"]["ContactSource"];
            /**
             * Format: date-time
             * @description When it was added.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /** @description Where to read on. */
            links: components["schemas"]["ContactLinks"];
        };
        /**
         * @description What a contact is to the property.
         * @enum {string}
         */
        ContactRole: "owner" | "property_manager" | "tenant" | "site_contact" | "insurance_agent" | "adjuster" | "contractor" | "other";
        /**
         * @description Who named the contact.
         * @enum {string}
         */
        ContactSource: "reported" | "public_record" | "imported";
        /** @description Where to read on. */
        ContactLinks: {
            /**
             * Format: uri
             * @description The property.
             */
            property: string;
        };
        /** @description One page of a listing. */
        PropertyPage: {
            /** @description The rows of this page. */
            data: components["schemas"]["Property"][];
            /** @description Addresses of other pages, with the filters sent. */
            links: components["schemas"]["PageLinks"];
            /** @description Where this page stands in the listing. */
            meta: components["schemas"]["PageMeta"];
        };
        /** @description A property that the team keeps. */
        Property: {
            /**
             * Format: uuid
             * @description Id of the property.
             */
            id: string;
            /**
             * @description Always `property`.
             * @constant
             */
            object: "property";
            /** @description Its label, else its street, else the address as sent. */
            name: string;
            /** @description Name given by the team. */
            label: string | null;
            /** @description The team's own reference, as sent. */
            reference: string | null;
            /** @description What kind of property it is. */
            kind: components["schemas"]["PropertyKind"];
            /** @description Whether it is watched. */
            status: components["schemas"]["PropertyStatus"];
            /** @description The address as sent and as located. */
            address: components["schemas"]["PropertyAddress"];
            /** @description How far around it storms count, in miles. */
            watch_radius_miles: number;
            /** @description Tags given by the team. */
            tags: string[];
            /** @description Notes of the team. */
            notes: string | null;
            /**
             * Format: date
             * @description Date of its newest exposure; null where it has none.
             */
            last_activity_on: string | null;
            /**
             * Format: date-time
             * @description When it was saved.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /** @description Where to read on. */
            links: components["schemas"]["PropertyLinks"];
        };
        /**
         * @description What kind of property it is.
         * @enum {string}
         */
        PropertyKind: "residential" | "commercial" | "multifamily" | "industrial" | "land" | "other";
        /**
         * @description Watching: scanned for storms. Paused: held, not scanned. Archived: kept, and not counted by the plan.
         * @enum {string}
         */
        PropertyStatus: "watching" | "paused" | "archived";
        /** @description The address as sent and as located; all but query are null until located. */
        PropertyAddress: {
            /** @description The address as sent. */
            query: string;
            /** @description House number and street. */
            street: string | null;
            /** @description City. */
            city: string | null;
            /** @description Two-letter code of the state. */
            state: string | null;
            /** @description ZIP code. */
            postal_code: string | null;
            /** @description Name of the county. */
            county: string | null;
            /** @description Five digits of the county. */
            county_fips: string | null;
            /** @description Degrees north, 5 decimals. */
            latitude: number | null;
            /** @description Degrees east, 5 decimals. */
            longitude: number | null;
            /** @description False until the address is located: it is watched from then on. */
            located: boolean;
            /** @description How exactly it was located: with zip or city, storms are looked for around the centre of that area. */
            precision: components["schemas"]["PlacePrecision"] | null;
            /** @description Why it is not located; null where it is, and until it was tried. */
            failure_reason: components["schemas"]["LocationFailure"] | null;
            /** @description The same in a sentence that names what is at fault. */
            failure_message: string | null;
        };
        /**
         * @description Why an address is at no one place.
         * @enum {string}
         */
        LocationFailure: "address_not_found" | "address_ambiguous" | "outside_coverage";
        /** @description Where to read on. */
        PropertyLinks: {
            /**
             * Format: uri
             * @description The property.
             */
            self: string;
            /**
             * Format: uri
             * @description Storm days and warnings near it.
             */
            exposures: string;
            /**
             * Format: uri
             * @description Reports filed under it.
             */
            reports: string;
        };
        /** @description A property that the team keeps, with its contacts. */
        PropertyWithContacts: {
            /**
             * Format: uuid
             * @description Id of the property.
             */
            id: string;
            /**
             * @description Always `property`.
             * @constant
             */
            object: "property";
            /** @description Its label, else its street, else the address as sent. */
            name: string;
            /** @description Name given by the team. */
            label: string | null;
            /** @description The team's own reference, as sent. */
            reference: string | null;
            /** @description What kind of property it is. */
            kind: components["schemas"]["PropertyKind"];
            /** @description Whether it is watched. */
            status: components["schemas"]["PropertyStatus"];
            /** @description The address as sent and as located. */
            address: components["schemas"]["PropertyAddress"];
            /** @description How far around it storms count, in miles. */
            watch_radius_miles: number;
            /** @description Tags given by the team. */
            tags: string[];
            /** @description Notes of the team. */
            notes: string | null;
            /**
             * Format: date
             * @description Date of its newest exposure; null where it has none.
             */
            last_activity_on: string | null;
            /**
             * Format: date-time
             * @description When it was saved.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /** @description Where to read on. */
            links: components["schemas"]["PropertyLinks"];
            /** @description The primary contact first, then the oldest. */
            contacts: components["schemas"]["Contact"][];
        };
        /** @description One page of a listing. */
        TerritoryPage: {
            /** @description The rows of this page. */
            data: components["schemas"]["Territory"][];
            /** @description Addresses of other pages, with the filters sent. */
            links: components["schemas"]["PageLinks"];
            /** @description Where this page stands in the listing. */
            meta: components["schemas"]["PageMeta"];
        };
        /** @description An area that the team watches. */
        Territory: {
            /**
             * Format: uuid
             * @description Id of the territory.
             */
            id: string;
            /**
             * @description Always `territory`.
             * @constant
             */
            object: "territory";
            /** @description Name given by the team. */
            name: string;
            /** @description How it was drawn. */
            kind: components["schemas"]["TerritoryKind"];
            /** @description What it is in a few words. */
            description: string;
            /** @description The parts that make the area. */
            definition: (components["schemas"]["DrawnPart"] | components["schemas"]["CirclePart"] | components["schemas"]["PlacePart"])[];
            /** @description Whether it is watched. */
            status: components["schemas"]["TerritoryStatus"];
            /** @description Its area in square miles. */
            area_sq_miles: number;
            /**
             * @description Its colour as #RRGGBB.
             * @enum {string}
             */
            color: "#0F6E79" | "#4A5A6A" | "#5C7A3A" | "#A94F2D" | "#6E3B6E" | "#B8945A";
            /** @description The watched shape, a drawn one exactly as it was sent. */
            geometry: components["schemas"]["Polygon"] | components["schemas"]["MultiPolygon"];
            /** @description Its middle. */
            centre: components["schemas"]["Centre"];
            /** @description The least box around it. */
            bounds: components["schemas"]["Bounds"];
            /** @description Notes of the team. */
            notes: string | null;
            /**
             * Format: date
             * @description Date of its newest exposure; null where it has none.
             */
            last_activity_on: string | null;
            /**
             * Format: date-time
             * @description When it was drawn.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /** @description Where to read on. */
            links: components["schemas"]["TerritoryLinks"];
        };
        /**
         * @description How a territory was drawn: a shape, a circle, or circles around named places.
         * @enum {string}
         */
        TerritoryKind: "polygon" | "radius" | "places";
        /** @description A polygon of a drawing. */
        DrawnPart: {
            positions: number;
            holes: number;
        };
        /** @description A circle around an address, or around a point where only that was sent. */
        CirclePart: {
            address: string | null;
            latitude: number;
            longitude: number;
            radius_miles: number;
        };
        /** @description A circle around a named place. */
        PlacePart: {
            place_id: number;
            name: string;
            latitude: number;
            longitude: number;
            radius_miles: number;
        };
        /**
         * @description Watching: scanned for storms. Paused: held, not scanned. Archived: kept, and not counted by the plan.
         * @enum {string}
         */
        TerritoryStatus: "watching" | "paused" | "archived";
        /** @description The middle of a territory. */
        Centre: {
            /** @description Degrees north. */
            latitude: number;
            /** @description Degrees east. */
            longitude: number;
        };
        /** @description The least box around a territory, in degrees. */
        Bounds: {
            /** @description Its westernmost longitude. */
            west: number;
            /** @description Its southernmost latitude. */
            south: number;
            /** @description Its easternmost longitude. */
            east: number;
            /** @description Its northernmost latitude. */
            north: number;
        };
        /** @description Where to read on. */
        TerritoryLinks: {
            /**
             * Format: uri
             * @description The territory.
             */
            self: string;
            /**
             * Format: uri
             * @description Storm days and warnings inside it.
             */
            exposures: string;
        };
        /** @description What a territory would be. */
        TerritoryQuote: {
            /**
             * @description Always `territory_quote`.
             * @constant
             */
            object: "territory_quote";
            /** @description How it would be drawn. */
            kind: components["schemas"]["TerritoryKind"];
            /** @description The shape that would be watched. */
            geometry: components["schemas"]["Polygon"] | components["schemas"]["MultiPolygon"];
            /** @description Its middle. */
            centre: components["schemas"]["Centre"];
            /** @description The least box around it. */
            bounds: components["schemas"]["Bounds"];
            /** @description Its area in square miles. */
            area_sq_miles: number;
            /** @description Whether the plan has room for it. */
            allowed: boolean;
            /** @description Why it is not allowed; null where it is. */
            notice: string | null;
        };
        /**
         * @description A colour by name.
         * @enum {string}
         */
        Swatch: "petrol" | "slate" | "moss" | "rust" | "plum" | "sand";
        /** @description One page of a listing. */
        IntegrationPage: {
            /** @description The rows of this page. */
            data: components["schemas"]["Integration"][];
            /** @description Addresses of other pages, with the filters sent. */
            links: components["schemas"]["PageLinks"];
            /** @description Where this page stands in the listing. */
            meta: components["schemas"]["PageMeta"];
        };
        /** @description A destination that events are posted to. Its url is never read back. */
        Integration: {
            /**
             * Format: uuid
             * @description Id of the destination.
             */
            id: string;
            /**
             * @description Always `integration`.
             * @constant
             */
            object: "integration";
            /** @description Name given by the team. */
            name: string;
            /** @description How it is spoken to. */
            channel: components["schemas"]["Channel"];
            /** @description The channel in words. */
            channel_label: string;
            /** @description Scheme, host and last characters of the url. */
            address_hint: string;
            /** @description Names of the events it is sent. */
            events: components["schemas"]["EventName"][];
            /** @description False: nothing is sent. */
            active: boolean;
            /** @description True where posts carry a signature. */
            signed: boolean;
            /** @description True after three deliveries in a row were given up, until one arrives. */
            failing: boolean;
            /**
             * Format: date-time
             * @description When a post last arrived.
             */
            last_sent_at: string | null;
            /**
             * Format: date-time
             * @description When an attempt last failed.
             */
            last_failed_at: string | null;
            /** @description Why it failed. */
            last_failure: string | null;
            /** @description Set where the service switched it off: it was gone, or nothing arrived there for five days. Null once it is active again. */
            switched_off: components["schemas"]["SwitchedOff"] | null;
            /**
             * Format: date-time
             * @description When it was registered.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updated_at: string;
            /** @description Where to read on. */
            links: components["schemas"]["IntegrationLinks"];
        };
        /**
         * @description An event that a destination can subscribe to.
         * @enum {string}
         */
        EventName: "exposure.detected" | "exposure.escalated" | "warning.issued" | "digest.sent" | "property.created" | "property.updated" | "property.archived" | "report.completed" | "report.pdf_ready" | "report.failed";
        /**
         * @description How a destination is spoken to.
         * @enum {string}
         */
        Channel: "webhook" | "chat_a" | "chat_b";
        /** @description That the service, not the team, set a destination inactive. */
        SwitchedOff: {
            /**
             * Format: date-time
             * @description When it did.
             */
            at: string;
            /** @description Why. */
            reason: string;
            /**
             * Format: date-time
             * @description When somebody of the team said that they know; null until then.
             */
            acknowledged_at: string | null;
        };
        /** @description Where to read on. */
        IntegrationLinks: {
            /**
             * Format: uri
             * @description The destination.
             */
            self: string;
            /**
             * Format: uri
             * @description What was sent to it.
             */
            deliveries: string;
        };
        /** @description An event that a destination can subscribe to. */
        IntegrationEvent: {
            /**
             * @description Always `integration_event`.
             * @constant
             */
            object: "integration_event";
            /** @description Name to subscribe by. */
            name: components["schemas"]["EventName"];
            /** @description The event in a few words. */
            label: string;
            /** @description When it is emitted. */
            description: string;
            /**
             * @description What the event belongs to.
             * @enum {string}
             */
            group: "Monitoring" | "Properties" | "Reports";
        };
        /** @description The secret that signs the posts of a destination, and how. */
        SigningSecret: {
            /**
             * @description Always `signing_secret`.
             * @constant
             */
            object: "signing_secret";
            /**
             * Format: uuid
             * @description The destination.
             */
            integration_id: string;
            /** @description The secret; all of it is the key, its prefix included. */
            secret: string;
            /**
             * @description Header that carries the signature.
             * @constant
             */
            header: "X-Service-Signature";
            /** @description How the signature is computed. */
            algorithm: string;
            /** @description Furthest that a timestamp may be from now, in seconds. */
            tolerance_seconds: number;
        };
        /** @description One page of a listing. */
        DeliveryPage: {
            /** @description The rows of this page. */
            data: components["schemas"]["Delivery"][];
            /** @description Addresses of other pages, with the filters sent. */
            links: components["schemas"]["PageLinks"];
            /** @description Where this page stands in the listing. */
            meta: components["schemas"]["PageMeta"];
        };
        /** @description One post to one destination. */
        Delivery: {
            /**
             * Format: uuid
             * @description Id of the delivery: every attempt carries it.
             */
            id: string;
            /**
             * @description Always `delivery`.
             * @constant
             */
            object: "delivery";
            /** @description What it was sent for. */
            kind: components["schemas"]["DeliveryKind"];
            /** @description How the destination is spoken to. */
            channel: components["schemas"]["Channel"];
            /** @description How it stands. */
            status: components["schemas"]["DeliveryStatus"];
            /** @description The same in words. */
            status_label: string;
            /** @description What it is about. */
            subject: string;
            /** @description Scheme, host and last characters of the url it went to. */
            address_hint: string;
            /** @description Attempts made. */
            attempts: number;
            /** @description Status of the last answer; null where none came. */
            response_code: number | null;
            /** @description Why the last attempt failed. */
            failure_reason: string | null;
            /** @description Exposures it names. Its body carries 50 of them whole at most: of an alert the first, of a digest the newest. */
            exposure_ids: number[];
            /**
             * Format: date-time
             * @description When it arrived.
             */
            sent_at: string | null;
            /**
             * Format: date-time
             * @description When it was given up.
             */
            failed_at: string | null;
            /**
             * Format: date-time
             * @description When it was to be sent.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description The destination, which may be gone.
             */
            integration_id: string;
        };
        /**
         * @description What a post was sent for.
         * @enum {string}
         */
        DeliveryKind: "event" | "test";
        /**
         * @description How a post stands; sent, failed and skipped are final.
         * @enum {string}
         */
        DeliveryStatus: "queued" | "retrying" | "sent" | "failed" | "skipped";
        /** @description A storm day over a box, moment by moment. */
        Playback: {
            /**
             * Format: date
             * @description The day.
             */
            date: string;
            /** @description The moments, in time order. */
            moments: components["schemas"]["PlaybackMoment"][];
            /** @description Reports and warnings of the day. */
            context: components["schemas"]["PlaybackContext"];
            /** @description What the answer holds. */
            meta: components["schemas"]["PlaybackMeta"];
        };
        /** @description What radar estimated at one moment. */
        PlaybackMoment: {
            /**
             * Format: date-time
             * @description The moment.
             */
            at: string;
            /** @description Where it estimated hail: at most 5,000, the largest. */
            cells: components["schemas"]["PlaybackCell"][];
        };
        /** @description A place where radar estimated hail. */
        PlaybackCell: {
            /** @description Degrees north, of its centre. */
            latitude: number;
            /** @description Degrees east, of its centre. */
            longitude: number;
            /** @description The size estimated, inches. */
            mesh_in: number;
        };
        /** @description What else is held of the day. */
        PlaybackContext: {
            /** @description Reports of the day in the box, in time order. */
            reports: components["schemas"]["PlaybackReport"][];
            /** @description Warnings that met the box on the day, in the order of issue. */
            warnings: components["schemas"]["PlaybackWarning"][];
        };
        /** @description What someone or something on the ground saw. */
        PlaybackReport: {
            /**
             * Format: date-time
             * @description When it began.
             */
            at: string;
            /** @description Type of the record. */
            type: components["schemas"]["RecordType"];
            /** @description Size of hail, inches; null for other types. */
            magnitude_in: number | null;
            /** @description Degrees north. */
            latitude: number;
            /** @description Degrees east. */
            longitude: number;
        };
        /** @description A warning in force on the day. */
        PlaybackWarning: {
            /** @description What was warned of. */
            label: string;
            /**
             * Format: date-time
             * @description When it was issued.
             */
            issued: string;
            /**
             * Format: date-time
             * @description When it ended.
             */
            expires: string;
        };
        /** @description What the answer holds. */
        PlaybackMeta: {
            /** @description Moments in the answer. */
            count: number;
            /** @description Whether radar is held of the day. */
            available: boolean;
            /** @description Whether moments or cells were left out, the largest kept. */
            thinned: boolean;
            /**
             * Format: date-time
             * @description The first moment; null with none.
             */
            from: string | null;
            /**
             * Format: date-time
             * @description The last moment; null with none.
             */
            until: string | null;
            /** @description Of which hours the one moment shows the largest, and stands in their middle; null where moments are what they say. */
            largest_of: components["schemas"]["PlaybackHours"] | null;
            /** @description IANA time zone at the centre of the box: the day is one of its calendar. */
            timezone: string;
        };
        /** @description Hours of which radar kept the largest estimates alone. */
        PlaybackHours: {
            /**
             * Format: date-time
             * @description When they began.
             */
            from: string;
            /**
             * Format: date-time
             * @description When they ended.
             */
            until: string;
        };
        LayoutInput: {
            sections?: ("summary" | "findings" | "map" | "timeline" | "events" | "observations" | "warnings" | "imagery" | "methodology")[] | null;
            imagery?: ("aerial" | "street_view" | "radar")[] | null;
            elements?: ("key_figures" | "timeline_chart" | "distance_rings" | "narratives" | "evidence_badges" | "prior_events" | "branding")[] | null;
            map?: {
                /**
                 * @default plain
                 * @enum {string|null}
                 */
                base: "plain" | "streets" | "aerial" | null;
                layers?: ("hail" | "wind" | "tornado" | "tornado_paths" | "flood" | "other" | "radar_hail" | "warnings" | "rings")[] | null;
            } | null;
        } | ("summary" | "findings" | "map" | "timeline" | "events" | "observations" | "warnings" | "imagery" | "methodology")[];
        /** @description How a batch of reports ended, row by row. */
        ReportBatch: {
            /**
             * @description Always `report_batch`.
             * @constant
             */
            object: "report_batch";
            /** @description Rows sent. */
            submitted: number;
            /** @description Rows that became a report, one credit each. */
            accepted: number;
            /** @description Rows that were wrong. */
            rejected: number;
            /** @description Rows left when credits ran out. */
            skipped: number;
            /** @description Credits that the batch cost. */
            credits_spent: number;
            /** @description The balance after it. */
            credits_remaining: number;
            /** @description True where credits ran out. */
            out_of_credits: boolean;
            /** @description The rows in the order sent. */
            results: components["schemas"]["ReportBatchRow"][];
        };
        /** @description How one row of a batch ended. */
        ReportBatchRow: {
            /** @description Place of the row as submitted, from 0. */
            index: number;
            /** @description The address as sent. */
            address: string | null;
            /** @description How the row ended. */
            status: components["schemas"]["ReportBatchRowStatus"];
            /** @description Why it was not accepted. */
            message: string | null;
            /** @description The report; null where none was made. */
            report: components["schemas"]["Report"] | null;
        };
        /**
         * @description How a row ended: skipped where credits ran out.
         * @enum {string}
         */
        ReportBatchRowStatus: "accepted" | "rejected" | "skipped";
        ReportRowInput: {
            address?: string | null;
            latitude?: number | null;
            longitude?: number | null;
            /** Format: date */
            window_start?: string | null;
            /** Format: date */
            window_end?: string | null;
            radius_miles?: number | null;
            /** Format: date-time */
            as_of?: string | null;
            /** Format: date */
            date_of_loss?: string | null;
            reference?: string | null;
            /** Format: uuid */
            property_id?: string | null;
        } & ({
            address: string;
        } | {
            latitude: number;
            longitude: number;
        });
        /** @description A short-lived link to a document. */
        Download: {
            /**
             * @description Always `download`.
             * @constant
             */
            object: "download";
            /**
             * Format: uri
             * @description The link: whoever holds it can read the document until it expires.
             */
            url: string;
            /** @description True: the link needs no token. */
            signed: boolean;
            /** @description Name to save it under. */
            filename: string;
            /**
             * @description Always `application/pdf`.
             * @constant
             */
            content_type: "application/pdf";
            /** @description Size in bytes. */
            bytes: number;
            /**
             * Format: date-time
             * @description When the link expires.
             */
            expires_at: string;
        };
        /** @description The document is still being rendered. */
        PdfPreparing: {
            /**
             * @description Always `pdf`.
             * @constant
             */
            object: "pdf";
            /**
             * @description Always `preparing`.
             * @constant
             */
            status: "preparing";
            /** @description Seconds to wait before asking again. */
            retry_after: number;
        };
        /** @description How a batch of properties ended, row by row. */
        PropertyBatch: {
            /**
             * @description Always `property_batch`.
             * @constant
             */
            object: "property_batch";
            /** @description Rows sent. */
            submitted: number;
            /** @description Rows that became a property. */
            created: number;
            /** @description Rows whose address is kept already. */
            duplicate: number;
            /** @description Rows that were wrong. */
            rejected: number;
            /** @description Rows left when the plan was full. */
            skipped: number;
            /** @description True where the plan was full. */
            plan_limit_reached: boolean;
            /** @description Tier that holds more; null where none is needed, or none does. */
            required_plan: components["schemas"]["Tier"] | null;
            /** @description The rows in the order sent. */
            results: components["schemas"]["PropertyBatchRow"][];
        };
        /** @description How one row of a batch ended. */
        PropertyBatchRow: {
            /** @description Place of the row as submitted, from 0. */
            index: number;
            /** @description The address as sent. */
            address: string | null;
            /** @description How the row ended. */
            status: components["schemas"]["PropertyRowStatus"];
            /** @description Why nothing was created. */
            message: string | null;
            /** @description The new property, or the one that stands at the address; null where neither. */
            property: components["schemas"]["Property"] | null;
        };
        /**
         * @description How a row ended: skipped where the plan was full.
         * @enum {string}
         */
        PropertyRowStatus: "created" | "duplicate" | "rejected" | "skipped";
        PropertyRowInput: {
            address?: string | null;
            latitude?: number | null;
            longitude?: number | null;
            label?: string | null;
            reference?: string | null;
            /**
             * @default other
             * @enum {string|null}
             */
            kind: "residential" | "commercial" | "multifamily" | "industrial" | "land" | "other" | null;
            /**
             * @default watching
             * @enum {string|null}
             */
            status: "watching" | "paused" | "archived" | null;
            /** @default 1 */
            watch_radius_miles: number | null;
            /** @default [] */
            tags: string[] | null;
            notes?: string | null;
        } & ({
            address: string;
        } | {
            latitude: number;
            longitude: number;
        });
        /** @description A destination just registered, with its signing secret. */
        RegisteredIntegration: {
            /** @description The destination. */
            data: components["schemas"]["Integration"];
            /** @description Secret that signs its posts; null for channels known by their address. */
            secret: string | null;
        };
        /** @description What came of a test post. */
        IntegrationTest: {
            /**
             * @description Always `integration_test`.
             * @constant
             */
            object: "integration_test";
            /**
             * Format: uuid
             * @description The destination.
             */
            integration_id: string;
            /** @description True where the receiver answered 2xx. */
            delivered: boolean;
            /** @description What the receiver answered, plain and cut. */
            detail: string;
        };
        /** @description A new signing secret; the one before stopped at once. */
        RotatedSecret: {
            /**
             * @description Always `signing_secret`.
             * @constant
             */
            object: "signing_secret";
            /**
             * Format: uuid
             * @description The destination.
             */
            integration_id: string;
            /** @description The new secret. */
            secret: string;
            /**
             * @description Header that carries the signature.
             * @constant
             */
            header: "X-Service-Signature";
            /** @description What the rotation means for posts under way. */
            notice: string;
        };
        /** @description Storm days and warnings at watched places. */
        AlertPayload: {
            /**
             * Format: uuid
             * @description Id of the delivery: a repeat carries the same.
             */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @constant */
            kind: "alert";
            /** @constant */
            object: "alert";
            event: components["schemas"]["EventName"];
            /** @description The team whose event it is. */
            team_name: string;
            /** @description The headline’s short form. */
            subject: string;
            /** @description Every exposure that it is about: the durable truth, to be fetched. */
            exposure_ids: number[];
            /**
             * Format: uri
             * @description Where people look at it.
             */
            activity_url: string;
            /**
             * Format: uri
             * @description Where destinations are explained.
             */
            settings_url: string;
            /** @description What happened in one line. */
            headline: string;
            /** @description The first sentence of it. */
            lede: string;
            /** @description Further lines for a reader. */
            rows: string[];
            /** @description Labels and values for a reader. */
            facts: {
                label: string;
                value: string;
            }[];
            /**
             * Format: uri
             * @description Where to read on.
             */
            link: string | null;
            /** @description What the link says. */
            link_label: string | null;
            /** @description The exposures, the first 50 of exposure_ids. */
            data: components["schemas"]["Exposure"][];
            /** @description What grew; null where nothing did. */
            escalation: {
                /** @description Largest measured hail before, in inches. */
                from_in: number | null;
                /** @description And now. */
                to_in: number | null;
                /** @description True where a tornado arrived. */
                tornado: boolean;
            } | null;
        };
        /** @description A property as it stood when the post was sent. */
        PropertyPayload: {
            /**
             * Format: uuid
             * @description Id of the delivery: a repeat carries the same.
             */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @constant */
            kind: "property";
            /** @constant */
            object: "property";
            event: components["schemas"]["EventName"];
            /** @description The team whose event it is. */
            team_name: string;
            /** @description The headline’s short form. */
            subject: string;
            /** @description Every exposure that it is about: the durable truth, to be fetched. */
            exposure_ids: number[];
            /**
             * Format: uri
             * @description Where people look at it.
             */
            activity_url: string;
            /**
             * Format: uri
             * @description Where destinations are explained.
             */
            settings_url: string;
            /** @description What happened in one line. */
            headline: string;
            /** @description The first sentence of it. */
            lede: string;
            /** @description Further lines for a reader. */
            rows: string[];
            /** @description Labels and values for a reader. */
            facts: {
                label: string;
                value: string;
            }[];
            /**
             * Format: uri
             * @description Where to read on.
             */
            link: string | null;
            /** @description What the link says. */
            link_label: string | null;
            /** @description The property. */
            data: (components["schemas"]["PropertyWithContacts"] | components["schemas"]["RemovedProperty"])[];
            /** @description Names of the fields that changed; none of a new property or a removed one. */
            changed: string[];
            /**
             * @description Why the post is sent.
             * @enum {string}
             */
            reason: "change" | "sent" | "archived" | "removed";
        };
        /** @description A report as a single retrieval answers it. */
        ReportPayload: {
            /**
             * Format: uuid
             * @description Id of the delivery: a repeat carries the same.
             */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @constant */
            kind: "report";
            /** @constant */
            object: "report";
            event: components["schemas"]["EventName"];
            /** @description The team whose event it is. */
            team_name: string;
            /** @description The headline’s short form. */
            subject: string;
            /** @description Every exposure that it is about: the durable truth, to be fetched. */
            exposure_ids: number[];
            /**
             * Format: uri
             * @description Where people look at it.
             */
            activity_url: string;
            /**
             * Format: uri
             * @description Where destinations are explained.
             */
            settings_url: string;
            /** @description What happened in one line. */
            headline: string;
            /** @description The first sentence of it. */
            lede: string;
            /** @description Further lines for a reader. */
            rows: string[];
            /** @description Labels and values for a reader. */
            facts: {
                label: string;
                value: string;
            }[];
            /**
             * Format: uri
             * @description Where to read on.
             */
            link: string | null;
            /** @description What the link says. */
            link_label: string | null;
            /** @description The report. */
            data: components["schemas"]["Report"][];
            /** @description A link to the document; null until it is rendered. */
            download: components["schemas"]["Download"] | null;
        };
        /** @description What was announced from 7 AM to 7 AM by the clock of the team. */
        DigestPayload: {
            /**
             * Format: uuid
             * @description Id of the delivery: a repeat carries the same.
             */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @constant */
            kind: "digest";
            /** @constant */
            object: "digest";
            event: components["schemas"]["EventName"];
            /** @description The team whose event it is. */
            team_name: string;
            /** @description The headline’s short form. */
            subject: string;
            /** @description Every exposure that it is about: the durable truth, to be fetched. */
            exposure_ids: number[];
            /**
             * Format: uri
             * @description Where people look at it.
             */
            activity_url: string;
            /**
             * Format: uri
             * @description Where destinations are explained.
             */
            settings_url: string;
            /** @description What happened in one line. */
            headline: string;
            /** @description The first sentence of it. */
            lede: string;
            /** @description Further lines for a reader. */
            rows: string[];
            /** @description Labels and values for a reader. */
            facts: {
                label: string;
                value: string;
            }[];
            /**
             * Format: uri
             * @description Where to read on.
             */
            link: string | null;
            /** @description What the link says. */
            link_label: string | null;
            /** @description The newest 50 exposures. */
            data: components["schemas"]["Exposure"][];
            /** @description The hours covered. */
            period: {
                /** Format: date-time */
                from: string;
                /** Format: date-time */
                to: string;
            };
            /** @description Counts of all. */
            totals: {
                exposures: number;
                properties: number;
                territories: number;
                warnings: number;
            };
        };
        /** @description All that is left of a property that is gone. */
        RemovedProperty: {
            /** Format: uuid */
            id: string;
            /** @constant */
            object: "property";
            /** @constant */
            removed: true;
        };
        /** @description Why a request was refused. All keys are always there. */
        Error: {
            /** @constant */
            object: "error";
            /**
             * @description The HTTP status.
             * @enum {integer}
             */
            status: 400 | 401 | 402 | 403 | 404 | 405 | 409 | 410 | 413 | 415 | 422 | 429 | 500 | 503;
            /**
             * @description What is wrong, for programs.
             * @enum {string}
             */
            code: "malformed_request" | "unauthenticated" | "plan_limit" | "missing_ability" | "missing_role" | "not_found" | "method_not_allowed" | "idempotency_key_reused" | "idempotency_in_flight" | "duplicate_address" | "destination_cap_reached" | "url_required" | "no_signing_secret" | "report_not_ready" | "property_not_located" | "link_expired" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "malformed_json" | "rate_limited" | "engine_unavailable" | "server_error";
            /** @description What is wrong, for people. */
            message: string;
            /** @description Of a 422: field, or dot path, to sentences about it. */
            errors: {
                [key: string]: string[];
            } | null;
            /** @description Of a 403: the ability that is missing. */
            required_ability: components["schemas"]["Ability"] | null;
            /** @description Of a 402: the tier that would do; null where none would. */
            required_plan: components["schemas"]["Tier"] | null;
            /**
             * @description Of a 402: which limit.
             * @enum {string|null}
             */
            limit: "api_access" | "layout" | "pdf_export" | "properties" | "territories" | "territory_area" | "watch_radius" | "lookback" | "credits" | "lapsed" | null;
            /**
             * Format: uuid
             * @description Of a duplicate address: the property that has it.
             */
            existing_id: string | null;
            /** @description Seconds to wait before asking again. */
            retry_after: number | null;
            /** @description As in the header X-Request-Id. */
            request_id: string;
        };
    };
    responses: {
        /** @description It is no request of HTTP/1.1, names no Host or two, or its body is in a transfer coding. */
        MalformedRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "malformed_request";
                    /** @constant */
                    status?: 400;
                };
            };
        };
        /** @description The token is missing, unknown, expired or revoked. */
        Unauthenticated: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "unauthenticated";
                    /** @constant */
                    status?: 401;
                };
            };
        };
        /** @description The plan or the balance does not allow it: `limit` names which, `required_plan` the tier that would. */
        PlanLimit: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "plan_limit";
                    /** @constant */
                    status?: 402;
                };
            };
        };
        /** @description The token lacks `required_ability`. */
        MissingAbility: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "missing_ability";
                    /** @constant */
                    status?: 403;
                };
            };
        };
        /** @description There is no such record, or it is another team’s. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "not_found";
                    /** @constant */
                    status?: 404;
                };
            };
        };
        /** @description The body is too large. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "payload_too_large";
                    /** @constant */
                    status?: 413;
                };
            };
        };
        /** @description The body is no application/json. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "unsupported_media_type";
                    /** @constant */
                    status?: 415;
                };
            };
        };
        /** @description Values cannot be used: `errors` names each field at once. Or the body is no JSON object. */
        ValidationFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "validation_failed" | "malformed_json";
                    /** @constant */
                    status?: 422;
                };
            };
        };
        /** @description Too many requests. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "rate_limited";
                    /** @constant */
                    status?: 429;
                };
            };
        };
        /** @description A fault of the service; quote `request_id`. */
        ServerError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "server_error";
                    /** @constant */
                    status?: 500;
                };
            };
        };
        /** @description An engine that is needed is not available now. */
        EngineUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "engine_unavailable";
                    /** @constant */
                    status?: 503;
                };
            };
        };
    };
    parameters: {
        /** @description A repeat with the same key within 24 hours does and costs nothing, and answers 200 with the record as it stands. */
        IdempotencyKey: string;
        /** @description HMAC-SHA256 over "<timestamp>.<raw body>", hex, sent as t=<unix_seconds>,v1=<hex>, keyed with the whole secret. Refuse a timestamp more than 300 seconds from now. */
        Signature: string;
        /** @description Name of the event. */
        EventHeader: string;
        /** @description Id of the delivery: a repeat carries the same. */
        DeliveryHeader: string;
        /** @description The same id, as Standard Webhooks names it. */
        WebhookId: string;
        /** @description When this attempt was signed, in seconds since 1970. */
        WebhookTimestamp: number;
        /** @description The signature of Standard Webhooks, keyed with the decoded bytes of the secret. */
        WebhookSignature: string;
    };
    requestBodies: never;
    headers: {
        /** @description The request’s id, as in an error body. */
        "X-Request-Id": string;
        /** @description Requests a minute. */
        "X-RateLimit-Limit": number;
        /** @description Requests left in this minute. */
        "X-RateLimit-Remaining": number;
        /** @description When there is room again, in seconds since 1970. */
        "X-RateLimit-Reset": number;
        /** @description Seconds to wait before asking again. */
        "Retry-After": number;
        /** @description The scheme that is wanted. */
        "WWW-Authenticate": "Bearer";
        /** @description True on a repeat. */
        "Idempotent-Replay": "true";
        /** @description Names these bytes, for If-None-Match. */
        ETag: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    index: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @constant */
                            object: "index";
                            /**
                             * @description Version of the API, as in its paths.
                             * @constant
                             */
                            version: "v1";
                            /**
                             * Format: uri
                             * @description The machine-readable description.
                             */
                            documentation: string;
                            abilities: {
                                name: components["schemas"]["Ability"];
                                label: string;
                                description: string;
                                /** @description Whether this token may. */
                                granted: boolean;
                            }[];
                            endpoints: {
                                /** @enum {string} */
                                method: "GET" | "POST" | "PATCH" | "DELETE";
                                path: string;
                                name: string;
                                /** @description Null: any valid token. */
                                ability: components["schemas"]["Ability"] | null;
                                /** @description Whether this token may. */
                                granted: boolean;
                            }[];
                            limits: {
                                per_page_max: number;
                                batch: {
                                    properties: number;
                                    reports: number;
                                };
                                download_link_ttl_minutes: number;
                                rate_limit_per_minute: number;
                                /** @description Tier of the team. */
                                plan: components["schemas"]["Tier"];
                            };
                        };
                    };
                };
            };
            /** @description The client holds this answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "account.show": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description The client holds this answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "team.show": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Team"];
                    };
                };
            };
            /** @description The client holds this answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "credits.show": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Credits"];
                    };
                };
            };
            /** @description The client holds this answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "credits.transactions": {
        parameters: {
            query?: {
                /** @description Only entries of this kind. */
                kind?: components["schemas"]["CreditKind"];
                /** @description Page to read: 1 or more; 1 where not sent. A page past the end is empty. */
                page?: number;
                /** @description Rows on a page: 1 to 100; 25 where not sent. A size beyond its bounds becomes the bound. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditTransactionPage"];
                };
            };
            /** @description The client holds this answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "monitoring.runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitoringRunList"];
                };
            };
            /** @description The client holds this answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    openapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        openapi: "3.1.0";
                        info: {
                            title: string;
                            version: string;
                        } & {
                            [key: string]: unknown;
                        };
                        servers: {
                            [key: string]: unknown;
                        }[];
                        security: {
                            [key: string]: unknown;
                        }[];
                        tags: {
                            [key: string]: unknown;
                        }[];
                        paths: {
                            [key: string]: unknown;
                        };
                        webhooks: {
                            [key: string]: unknown;
                        };
                        components: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            /** @description The client holds this answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "reports.list": {
        parameters: {
            query?: {
                /** @description Only reports that stand so. */
                status?: components["schemas"]["ReportStatus"];
                /** @description Only reports whose address contains this text: 1 to 100 characters. */
                address?: string;
                /** @description Only reports filed under this saved property. */
                property?: string;
                /** @description Page to read: 1 or more; 1 where not sent. A page past the end is empty. */
                page?: number;
                /** @description Rows on a page: 1 to 100; 25 where not sent. A size beyond its bounds becomes the bound. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportPage"];
                };
            };
            /** @description The client holds this answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "reports.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key within 24 hours does and costs nothing, and answers 200 with the record as it stands. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Address in the United States, or its coordinates, such as "33.1499, -96.8241": 3 to 255 characters. It is required unless latitude and longitude are sent. */
                    address?: string | null;
                    /** @description Degrees north, sent with longitude: -90 to 90 degrees. The coordinates say where it is, the address what it is called: both name one place. */
                    latitude?: number | null;
                    /** @description Degrees east, sent with latitude: -180 to 180 degrees. Western ones are negative. */
                    longitude?: number | null;
                    /**
                     * Format: date
                     * @description First day; must be in the past.
                     */
                    window_start: string;
                    /**
                     * Format: date
                     * @description Last day; on or after window_start.
                     */
                    window_end: string;
                    /**
                     * @description Radius around the address, which the plan may narrow: 1 to 100 miles; 5 where not sent.
                     * @default 5
                     */
                    radius_miles?: number | null;
                    /**
                     * Format: date-time
                     * @description Moment whose knowledge the report is compiled from, and nothing that came later.
                     */
                    as_of?: string | null;
                    /**
                     * Format: date
                     * @description Day of the loss, a local day of the place within the window: the report answers for it first.
                     */
                    date_of_loss?: string | null;
                    /** @description The caller's own reference, carried unchanged: at most 100 characters. */
                    reference?: string | null;
                    /** @description Printed on the cover: at most 160 characters. */
                    recipient?: string | null;
                    /**
                     * Format: uuid
                     * @description Saved property to file the report under.
                     */
                    property_id?: string | null;
                    /** @description Layout of the document; needs a plan that composes layouts. */
                    layout?: components["schemas"]["LayoutInput"] | null;
                } & ({
                    address: string;
                } | {
                    latitude: number;
                    longitude: number;
                });
            };
        };
        responses: {
            /** @description A repeat of an earlier request: nothing was done, and this is the record as it stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Report"];
                    };
                };
            };
            /** @description Accepted. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Report"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            /** @description It contradicts what is there or under way: `code` says how. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "idempotency_key_reused" | "idempotency_in_flight";
                        /** @constant */
                        status?: 409;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "reports.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the report. */
                report: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Report"];
                    };
                };
            };
            /** @description The client holds this answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "reports.destroy": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the report. */
                report: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "reports.events": {
        parameters: {
            query?: {
                /** @description Only records of this type. */
                type?: components["schemas"]["RecordType"];
                /** @description Only records of this family. */
                family?: components["schemas"]["Family"];
                /** @description Only records of this date or later. */
                from?: string;
                /** @description Only records of this date or earlier. */
                to?: string;
                /** @description Only hail at least this large: 0 inches or more. */
                min_hail_in?: number;
                /** @description Only gusts at least this strong: 0 miles an hour or more. */
                min_gust_mph?: number;
                /** @description True: only what was seen at the ground or measured. False: only estimates. */
                observed?: boolean;
                /** @description Page to read: 1 or more; 1 where not sent. A page past the end is empty. */
                page?: number;
                /** @description Rows on a page: 1 to 100; 25 where not sent. A size beyond its bounds becomes the bound. */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @description Id of the report. */
                report: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CitedRecordPage"];
                };
            };
            /** @description The client holds this answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "reports.verification": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the report. */
                report: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Verification"];
                    };
                };
            };
            /** @description The client holds this answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            /** @description It contradicts what is there or under way: `code` says how. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "report_not_ready";
                        /** @constant */
                        status?: 409;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "reports.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the report. */
                report: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            /** @description Still being rendered. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PdfPreparing"];
                };
            };
            /** @description The client holds this answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            /** @description It contradicts what is there or under way: `code` says how. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "report_not_ready";
                        /** @constant */
                        status?: 409;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "reports.pdf.link": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the report. */
                report: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Download"];
                };
            };
            /** @description Still being rendered. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PdfPreparing"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            /** @description It contradicts what is there or under way: `code` says how. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "report_not_ready";
                        /** @constant */
                        status?: 409;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "reports.batch": {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key within 24 hours does and costs nothing, and answers 200 with the record as it stands. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The rows: 1 to 25. */
                    reports: components["schemas"]["ReportRowInput"][];
                    /**
                     * Format: date
                     * @description First day of rows that name none.
                     */
                    window_start?: string | null;
                    /**
                     * Format: date
                     * @description Last day of rows that name none.
                     */
                    window_end?: string | null;
                    /**
                     * @description Radius of rows that name none: 1 to 100 miles; 5 where not sent.
                     * @default 5
                     */
                    radius_miles?: number | null;
                    /**
                     * Format: date-time
                     * @description Moment to report as of, for rows that name none.
                     */
                    as_of?: string | null;
                    /**
                     * Format: date
                     * @description Day of the loss, for rows that name none.
                     */
                    date_of_loss?: string | null;
                    /** @description Layout of every document; needs a plan that composes layouts. */
                    layout?: components["schemas"]["LayoutInput"] | null;
                };
            };
        };
        responses: {
            /** @description A repeat of an earlier request: nothing was done, and this is the record as it stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportBatch"];
                };
            };
            /** @description Every row went well. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportBatch"];
                };
            };
            /** @description Rows ended differently; each answers for itself. */
            207: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportBatch"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            /** @description It contradicts what is there or under way: `code` says how. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "idempotency_key_reused" | "idempotency_in_flight";
                        /** @constant */
                        status?: 409;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "properties.list": {
        parameters: {
            query?: {
                /** @description Only properties that stand so. */
                status?: components["schemas"]["PropertyStatus"];
                /** @description Only properties with this tag, in any case: 1 to 100 characters. */
                tag?: string;
                /** @description Only properties whose name, address or reference contains this text: 1 to 100 characters. */
                search?: string;
                /** @description Page to read: 1 or more; 1 where not sent. A page past the end is empty. */
                page?: number;
                /** @description Rows on a page: 1 to 100; 25 where not sent. A size beyond its bounds becomes the bound. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PropertyPage"];
                };
            };
            /** @description The client holds this answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "properties.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Address in the United States, or its coordinates, such as "33.1499, -96.8241": 3 to 255 characters. It is required unless latitude and longitude are sent. */
                    address?: string | null;
                    /** @description Degrees north, sent with longitude: -90 to 90 degrees. The coordinates say where it is, the address what it is called: both name one place. */
                    latitude?: number | null;
                    /** @description Degrees east, sent with latitude: -180 to 180 degrees. Western ones are negative. */
                    longitude?: number | null;
                    /** @description Name of the property: 1 to 120 characters. */
                    label?: string | null;
                    /** @description The team's own reference: at most 100 characters. */
                    reference?: string | null;
                    /**
                     * @description What kind of property it is; other where not sent.
                     * @default other
                     */
                    kind?: components["schemas"]["PropertyKind"] | null;
                    /**
                     * @description Whether it is watched; watching where not sent.
                     * @default watching
                     */
                    status?: components["schemas"]["PropertyStatus"] | null;
                    /**
                     * @description How far around it storms count, within the plan: 0.5 to 10 miles; 1 where not sent.
                     * @default 1
                     */
                    watch_radius_miles?: number | null;
                    /**
                     * @description Tags, which replace the list as a whole: at most 10, each 1 to 40 characters.
                     * @default []
                     */
                    tags?: string[] | null;
                    /** @description Notes: at most 5000 characters. */
                    notes?: string | null;
                } & ({
                    address: string;
                } | {
                    latitude: number;
                    longitude: number;
                });
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PropertyWithContacts"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            /** @description It contradicts what is there or under way: `code` says how. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "duplicate_address";
                        /** @constant */
                        status?: 409;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "properties.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the property. */
                property: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PropertyWithContacts"];
                    };
                };
            };
            /** @description The client holds this answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "properties.destroy": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the property. */
                property: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "properties.update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the property. */
                property: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Address in the United States, or its coordinates, such as "33.1499, -96.8241": 3 to 255 characters. It is required unless latitude and longitude are sent. */
                    address?: string;
                    /** @description Degrees north, sent with longitude: -90 to 90 degrees. The coordinates say where it is, the address what it is called: both name one place. */
                    latitude?: number;
                    /** @description Degrees east, sent with latitude: -180 to 180 degrees. Western ones are negative. */
                    longitude?: number;
                    /** @description Name of the property: 1 to 120 characters. */
                    label?: string | null;
                    /** @description The team's own reference: at most 100 characters. */
                    reference?: string | null;
                    /** @description What kind of property it is. */
                    kind?: components["schemas"]["PropertyKind"];
                    /** @description Whether it is watched. */
                    status?: components["schemas"]["PropertyStatus"];
                    /** @description How far around it storms count, within the plan: 0.5 to 10 miles. */
                    watch_radius_miles?: number;
                    /** @description Tags, which replace the list as a whole: at most 10, each 1 to 40 characters. */
                    tags?: string[];
                    /** @description Notes: at most 5000 characters. */
                    notes?: string | null;
                };
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PropertyWithContacts"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            /** @description It contradicts what is there or under way: `code` says how. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "duplicate_address";
                        /** @constant */
                        status?: 409;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "properties.batch": {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key within 24 hours does and costs nothing, and answers 200 with the record as it stands. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The rows: 1 to 100. */
                    properties: components["schemas"]["PropertyRowInput"][];
                };
            };
        };
        responses: {
            /** @description A repeat of an earlier request: nothing was done, and this is the record as it stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PropertyBatch"];
                };
            };
            /** @description Every row went well. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PropertyBatch"];
                };
            };
            /** @description Rows ended differently; each answers for itself. */
            207: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PropertyBatch"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            /** @description It contradicts what is there or under way: `code` says how. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "idempotency_key_reused" | "idempotency_in_flight";
                        /** @constant */
                        status?: 409;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "properties.reports.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key within 24 hours does and costs nothing, and answers 200 with the record as it stands. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the property. */
                property: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * Format: date
                     * @description First day; the first that the plan reaches where not sent.
                     */
                    window_start?: string | null;
                    /**
                     * Format: date
                     * @description Last day; today where not sent.
                     */
                    window_end?: string | null;
                    /** @description Radius around it, which the plan may narrow; the watch radius where not sent: 1 to 100 miles. */
                    radius_miles?: number | null;
                    /**
                     * Format: date-time
                     * @description Moment whose knowledge the report is compiled from, and nothing that came later.
                     */
                    as_of?: string | null;
                    /**
                     * Format: date
                     * @description Day of the loss, a local day of the place within the window: the report answers for it first.
                     */
                    date_of_loss?: string | null;
                    /** @description Printed on the cover: at most 160 characters. */
                    recipient?: string | null;
                    /** @description Layout of the document; needs a plan that composes layouts. */
                    layout?: components["schemas"]["LayoutInput"] | null;
                };
            };
        };
        responses: {
            /** @description A repeat of an earlier request: nothing was done, and this is the record as it stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Report"];
                    };
                };
            };
            /** @description Accepted. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Report"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            /** @description It contradicts what is there or under way: `code` says how. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "idempotency_key_reused" | "idempotency_in_flight";
                        /** @constant */
                        status?: 409;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "properties.exposures": {
        parameters: {
            query?: {
                /** @description Only exposures that changed after this moment: send the largest `last_seen_at` seen, and nothing is missed. */
                since?: string;
                /** @description First day. */
                from?: string;
                /** @description Last day. */
                to?: string;
                /** @description Only storm days, or only warnings. */
                kind?: components["schemas"]["ExposureKind"];
                /** @description True: only those neither acknowledged nor dismissed. False: only those that are. */
                open?: boolean;
                /** @description Only exposures of this kind of watched place. */
                subject?: components["schemas"]["WatchSubject"];
                /** @description Only those whose largest measured hail is at least this large: 0 inches or more. */
                min_measured_in?: number;
                /** @description Page to read: 1 or more; 1 where not sent. A page past the end is empty. */
                page?: number;
                /** @description Rows on a page: 1 to 100; 25 where not sent. A size beyond its bounds becomes the bound. */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @description Id of the property. */
                property: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExposurePage"];
                };
            };
            /** @description The client holds this answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "properties.enrich": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the property. */
                property: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PropertyWithContacts"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            /** @description It contradicts what is there or under way: `code` says how. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "property_not_located" | "duplicate_address";
                        /** @constant */
                        status?: 409;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "properties.contacts.list": {
        parameters: {
            query?: {
                /** @description Page to read: 1 or more; 1 where not sent. A page past the end is empty. */
                page?: number;
                /** @description Rows on a page: 1 to 100; 25 where not sent. A size beyond its bounds becomes the bound. */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @description Id of the property. */
                property: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactPage"];
                };
            };
            /** @description The client holds this answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "properties.contacts.create": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the property. */
                property: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name: 1 to 120 characters. */
                    name: string;
                    /**
                     * @description What the contact is to the property; owner where not sent.
                     * @default owner
                     */
                    role?: components["schemas"]["ContactRole"] | null;
                    /** @description Company: 1 to 120 characters. */
                    company?: string | null;
                    /** @description Telephone number: 1 to 40 characters. */
                    phone?: string | null;
                    /** @description E-mail address: 3 to 254 characters. */
                    email?: string | null;
                    /** @description Notes: at most 2000 characters. */
                    notes?: string | null;
                    /**
                     * @description True makes it the one to ask first; the one before steps back; false where not sent.
                     * @default false
                     */
                    primary?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Contact"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "properties.contacts.destroy": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the property. */
                property: string;
                /** @description Id of the contact. */
                contact: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "properties.contacts.update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the property. */
                property: string;
                /** @description Id of the contact. */
                contact: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Name: 1 to 120 characters. */
                    name?: string;
                    /** @description What the contact is to the property. */
                    role?: components["schemas"]["ContactRole"];
                    /** @description Company: 1 to 120 characters. */
                    company?: string | null;
                    /** @description Telephone number: 1 to 40 characters. */
                    phone?: string | null;
                    /** @description E-mail address: 3 to 254 characters. */
                    email?: string | null;
                    /** @description Notes: at most 2000 characters. */
                    notes?: string | null;
                    /** @description True makes it the one to ask first; the one before steps back. */
                    primary?: boolean;
                };
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Contact"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "territories.list": {
        parameters: {
            query?: {
                /** @description Only territories that stand so. */
                status?: components["schemas"]["TerritoryStatus"];
                /** @description Page to read: 1 or more; 1 where not sent. A page past the end is empty. */
                page?: number;
                /** @description Rows on a page: 1 to 100; 25 where not sent. A size beyond its bounds becomes the bound. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TerritoryPage"];
                };
            };
            /** @description The client holds this answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "territories.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key within 24 hours does and costs nothing, and answers 200 with the record as it stands. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the territory: 1 to 120 characters. */
                    name: string;
                    /** @description How it is drawn. */
                    kind: components["schemas"]["TerritoryKind"];
                    /**
                     * @description Whether it is watched; watching where not sent.
                     * @default watching
                     */
                    status?: components["schemas"]["TerritoryStatus"] | null;
                    /**
                     * @description Its colour; petrol where not sent.
                     * @default petrol
                     */
                    colour?: components["schemas"]["Swatch"] | null;
                    /** @description Notes: at most 5000 characters. */
                    notes?: string | null;
                    /** @description Of a polygon: at most 10,000 positions and 100 polygons, never repaired. */
                    geometry?: (components["schemas"]["Polygon"] | components["schemas"]["MultiPolygon"] | components["schemas"]["PolygonFeature"]) | null;
                    /** @description Of a radius, its centre: 3 to 255 characters. */
                    address?: string | null;
                    /** @description Of a radius, its centre instead of an address, north positive: -90 to 90 degrees. */
                    latitude?: number | null;
                    /** @description Of a radius, its centre instead of an address, east positive: -180 to 180 degrees. */
                    longitude?: number | null;
                    /** @description Of a radius or places, within the area that the plan allows: 0.5 to 100 miles. */
                    radius_miles?: number | null;
                    /** @description Of places, ids of the lookup of places: 1 to 50. */
                    place_ids?: number[] | null;
                };
            };
        };
        responses: {
            /** @description A repeat of an earlier request: nothing was done, and this is the record as it stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Territory"];
                    };
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Territory"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            /** @description It contradicts what is there or under way: `code` says how. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "idempotency_key_reused" | "idempotency_in_flight";
                        /** @constant */
                        status?: 409;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "territories.quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the territory: 1 to 120 characters. */
                    name: string;
                    /** @description How it is drawn. */
                    kind: components["schemas"]["TerritoryKind"];
                    /**
                     * @description Whether it is watched; watching where not sent.
                     * @default watching
                     */
                    status?: components["schemas"]["TerritoryStatus"] | null;
                    /**
                     * @description Its colour; petrol where not sent.
                     * @default petrol
                     */
                    colour?: components["schemas"]["Swatch"] | null;
                    /** @description Notes: at most 5000 characters. */
                    notes?: string | null;
                    /** @description Of a polygon: at most 10,000 positions and 100 polygons, never repaired. */
                    geometry?: (components["schemas"]["Polygon"] | components["schemas"]["MultiPolygon"] | components["schemas"]["PolygonFeature"]) | null;
                    /** @description Of a radius, its centre: 3 to 255 characters. */
                    address?: string | null;
                    /** @description Of a radius, its centre instead of an address, north positive: -90 to 90 degrees. */
                    latitude?: number | null;
                    /** @description Of a radius, its centre instead of an address, east positive: -180 to 180 degrees. */
                    longitude?: number | null;
                    /** @description Of a radius or places, within the area that the plan allows: 0.5 to 100 miles. */
                    radius_miles?: number | null;
                    /** @description Of places, ids of the lookup of places: 1 to 50. */
                    place_ids?: number[] | null;
                };
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TerritoryQuote"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "territories.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the territory. */
                territory: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Territory"];
                    };
                };
            };
            /** @description The client holds this answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "territories.destroy": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the territory. */
                territory: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "territories.update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the territory. */
                territory: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Name of the territory: 1 to 120 characters. */
                    name?: string;
                    /** @description How it is drawn; another kind is sent with all that it needs. */
                    kind?: components["schemas"]["TerritoryKind"];
                    /** @description Whether it is watched. */
                    status?: components["schemas"]["TerritoryStatus"];
                    /** @description Its colour. */
                    colour?: components["schemas"]["Swatch"];
                    /** @description Notes: at most 5000 characters. */
                    notes?: string | null;
                    /** @description Of a polygon: at most 10,000 positions and 100 polygons, never repaired. */
                    geometry?: components["schemas"]["Polygon"] | components["schemas"]["MultiPolygon"] | components["schemas"]["PolygonFeature"];
                    /** @description Of a radius, its centre: 3 to 255 characters. */
                    address?: string;
                    /** @description Of a radius, its centre instead of an address, north positive: -90 to 90 degrees. */
                    latitude?: number;
                    /** @description Of a radius, its centre instead of an address, east positive: -180 to 180 degrees. */
                    longitude?: number;
                    /** @description Of a radius or places, within the area that the plan allows: 0.5 to 100 miles. */
                    radius_miles?: number;
                    /** @description Of places, ids of the lookup of places: 1 to 50. */
                    place_ids?: number[];
                };
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Territory"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "territories.status": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the territory. */
                territory: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The state to move it to; watching where not sent.
                     * @default watching
                     */
                    status: components["schemas"]["TerritoryStatus"];
                };
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Territory"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "territories.exposures": {
        parameters: {
            query?: {
                /** @description Only exposures that changed after this moment: send the largest `last_seen_at` seen, and nothing is missed. */
                since?: string;
                /** @description First day. */
                from?: string;
                /** @description Last day. */
                to?: string;
                /** @description Only storm days, or only warnings. */
                kind?: components["schemas"]["ExposureKind"];
                /** @description True: only those neither acknowledged nor dismissed. False: only those that are. */
                open?: boolean;
                /** @description Only exposures of this kind of watched place. */
                subject?: components["schemas"]["WatchSubject"];
                /** @description Only those whose largest measured hail is at least this large: 0 inches or more. */
                min_measured_in?: number;
                /** @description Page to read: 1 or more; 1 where not sent. A page past the end is empty. */
                page?: number;
                /** @description Rows on a page: 1 to 100; 25 where not sent. A size beyond its bounds becomes the bound. */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @description Id of the territory. */
                territory: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExposurePage"];
                };
            };
            /** @description The client holds this answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "places.list": {
        parameters: {
            query: {
                /** @description A place name, optionally with its state (Moore, OK): 2 to 100 characters. */
                search: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["Place"][];
                    };
                };
            };
            /** @description The client holds this answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "exposures.list": {
        parameters: {
            query?: {
                /** @description Only exposures that changed after this moment: send the largest `last_seen_at` seen, and nothing is missed. */
                since?: string;
                /** @description First day. */
                from?: string;
                /** @description Last day. */
                to?: string;
                /** @description Only storm days, or only warnings. */
                kind?: components["schemas"]["ExposureKind"];
                /** @description True: only those neither acknowledged nor dismissed. False: only those that are. */
                open?: boolean;
                /** @description Only exposures of this kind of watched place. */
                subject?: components["schemas"]["WatchSubject"];
                /** @description Only those whose largest measured hail is at least this large: 0 inches or more. */
                min_measured_in?: number;
                /** @description Page to read: 1 or more; 1 where not sent. A page past the end is empty. */
                page?: number;
                /** @description Rows on a page: 1 to 100; 25 where not sent. A size beyond its bounds becomes the bound. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExposurePage"];
                };
            };
            /** @description The client holds this answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "exposures.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the exposure. */
                exposure: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Exposure"];
                    };
                };
            };
            /** @description The client holds this answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "exposures.acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the exposure. */
                exposure: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description True sets it aside, false acknowledges it; false where not sent.
                     * @default false
                     */
                    dismiss?: boolean | null;
                };
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Exposure"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "exposures.reopen": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the exposure. */
                exposure: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Exposure"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "integrations.list": {
        parameters: {
            query?: {
                /** @description Only destinations of this channel. */
                channel?: components["schemas"]["Channel"];
                /** @description Only destinations subscribed to this event. */
                event?: "exposure.detected" | "exposure.escalated" | "warning.issued" | "digest.sent" | "property.created" | "property.updated" | "property.archived" | "report.completed" | "report.pdf_ready" | "report.failed";
                /** @description Only active ones, or only inactive ones. */
                active?: boolean;
                /** @description Page to read: 1 or more; 1 where not sent. A page past the end is empty. */
                page?: number;
                /** @description Rows on a page: 1 to 100; 25 where not sent. A size beyond its bounds becomes the bound. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrationPage"];
                };
            };
            /** @description The client holds this answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "integrations.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name: 1 to 80 characters. */
                    name: string;
                    /** @description How it is spoken to. */
                    channel: components["schemas"]["Channel"];
                    /** @description Address to post to, https; never read back: 1 to 2048 characters. */
                    url: string;
                    /** @description Names from the catalogue: at least 1. */
                    events: ("exposure.detected" | "exposure.escalated" | "warning.issued" | "digest.sent" | "property.created" | "property.updated" | "property.archived" | "report.completed" | "report.pdf_ready" | "report.failed")[];
                    /**
                     * @description False registers it without sending; true where not sent.
                     * @default true
                     */
                    active?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisteredIntegration"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            /** @description It contradicts what is there or under way: `code` says how. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "destination_cap_reached";
                        /** @constant */
                        status?: 409;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "integrations.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the destination. */
                integration: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Integration"];
                    };
                };
            };
            /** @description The client holds this answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "integrations.destroy": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the destination. */
                integration: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "integrations.update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the destination. */
                integration: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Name: 1 to 80 characters. */
                    name?: string;
                    /** @description Another channel needs a new url. */
                    channel?: components["schemas"]["Channel"];
                    /** @description Address to post to, https: 1 to 2048 characters. */
                    url?: string;
                    /** @description Names from the catalogue: at least 1. */
                    events?: ("exposure.detected" | "exposure.escalated" | "warning.issued" | "digest.sent" | "property.created" | "property.updated" | "property.archived" | "report.completed" | "report.pdf_ready" | "report.failed")[];
                    /** @description Whether anything is sent. */
                    active?: boolean;
                };
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Integration"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            /** @description It contradicts what is there or under way: `code` says how. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "url_required";
                        /** @constant */
                        status?: 409;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "integrations.events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["IntegrationEvent"][];
                    };
                };
            };
            /** @description The client holds this answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "integrations.test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the destination. */
                integration: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delivered. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrationTest"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            /** @description The receiver refused or failed; the detail says what it answered. */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrationTest"];
                };
            };
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "integrations.secret.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the destination. */
                integration: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningSecret"];
                };
            };
            /** @description The client holds this answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            /** @description It contradicts what is there or under way: `code` says how. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "no_signing_secret";
                        /** @constant */
                        status?: 409;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "integrations.secret.rotate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the destination. */
                integration: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedSecret"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            /** @description It contradicts what is there or under way: `code` says how. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "no_signing_secret";
                        /** @constant */
                        status?: 409;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "integrations.deliveries": {
        parameters: {
            query?: {
                /** @description Only deliveries that stand so. */
                status?: components["schemas"]["DeliveryStatus"];
                /** @description Page to read: 1 or more; 1 where not sent. A page past the end is empty. */
                page?: number;
                /** @description Rows on a page: 1 to 100; 25 where not sent. A size beyond its bounds becomes the bound. */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @description Id of the destination. */
                integration: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            /** @description The client holds this answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "deliveries.list": {
        parameters: {
            query?: {
                /** @description Only deliveries that stand so. */
                status?: components["schemas"]["DeliveryStatus"];
                /** @description Page to read: 1 or more; 1 where not sent. A page past the end is empty. */
                page?: number;
                /** @description Rows on a page: 1 to 100; 25 where not sent. A size beyond its bounds becomes the bound. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            /** @description The client holds this answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "maps.tile": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Zoom level. */
                z: number;
                /** @description Column of the tile, from the west. */
                x: number;
                /** @description Row of the tile, from the north. */
                y: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                };
            };
            /** @description The client holds this answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "maps.playback": {
        parameters: {
            query: {
                /** @description The calendar date at the centre of the box. */
                date: string;
                /** @description Southern edge of the box, north positive: -90 to 90 degrees. */
                south: number;
                /** @description Western edge, east positive: -180 to 180 degrees. */
                west: number;
                /** @description Northern edge, north positive: -90 to 90 degrees. */
                north: number;
                /** @description Eastern edge, east positive: -180 to 180 degrees. */
                east: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Playback"];
                };
            };
            /** @description The client holds this answer already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "webhooks.exposure.detected": {
        parameters: {
            query?: never;
            header: {
                /** @description HMAC-SHA256 over "<timestamp>.<raw body>", hex, sent as t=<unix_seconds>,v1=<hex>, keyed with the whole secret. Refuse a timestamp more than 300 seconds from now. */
                "X-Service-Signature": components["parameters"]["Signature"];
                /** @description Name of the event. */
                "X-Service-Event": components["parameters"]["EventHeader"];
                /** @description Id of the delivery: a repeat carries the same. */
                "X-Service-Delivery": components["parameters"]["DeliveryHeader"];
                /** @description The same id, as Standard Webhooks names it. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When this attempt was signed, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description The signature of Standard Webhooks, keyed with the decoded bytes of the secret. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertPayload"] & {
                    /** @constant */
                    event: "exposure.detected";
                };
            };
        };
        responses: {
            /** @description Not tried again: the destination is set inactive. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. Any answer of this kind within 15 seconds counts. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: tried again on the schedule. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: tried again on the schedule. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.exposure.escalated": {
        parameters: {
            query?: never;
            header: {
                /** @description HMAC-SHA256 over "<timestamp>.<raw body>", hex, sent as t=<unix_seconds>,v1=<hex>, keyed with the whole secret. Refuse a timestamp more than 300 seconds from now. */
                "X-Service-Signature": components["parameters"]["Signature"];
                /** @description Name of the event. */
                "X-Service-Event": components["parameters"]["EventHeader"];
                /** @description Id of the delivery: a repeat carries the same. */
                "X-Service-Delivery": components["parameters"]["DeliveryHeader"];
                /** @description The same id, as Standard Webhooks names it. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When this attempt was signed, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description The signature of Standard Webhooks, keyed with the decoded bytes of the secret. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertPayload"] & {
                    /** @constant */
                    event: "exposure.escalated";
                };
            };
        };
        responses: {
            /** @description Not tried again: the destination is set inactive. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. Any answer of this kind within 15 seconds counts. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: tried again on the schedule. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: tried again on the schedule. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.warning.issued": {
        parameters: {
            query?: never;
            header: {
                /** @description HMAC-SHA256 over "<timestamp>.<raw body>", hex, sent as t=<unix_seconds>,v1=<hex>, keyed with the whole secret. Refuse a timestamp more than 300 seconds from now. */
                "X-Service-Signature": components["parameters"]["Signature"];
                /** @description Name of the event. */
                "X-Service-Event": components["parameters"]["EventHeader"];
                /** @description Id of the delivery: a repeat carries the same. */
                "X-Service-Delivery": components["parameters"]["DeliveryHeader"];
                /** @description The same id, as Standard Webhooks names it. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When this attempt was signed, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description The signature of Standard Webhooks, keyed with the decoded bytes of the secret. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertPayload"] & {
                    /** @constant */
                    event: "warning.issued";
                };
            };
        };
        responses: {
            /** @description Not tried again: the destination is set inactive. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. Any answer of this kind within 15 seconds counts. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: tried again on the schedule. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: tried again on the schedule. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.digest.sent": {
        parameters: {
            query?: never;
            header: {
                /** @description HMAC-SHA256 over "<timestamp>.<raw body>", hex, sent as t=<unix_seconds>,v1=<hex>, keyed with the whole secret. Refuse a timestamp more than 300 seconds from now. */
                "X-Service-Signature": components["parameters"]["Signature"];
                /** @description Name of the event. */
                "X-Service-Event": components["parameters"]["EventHeader"];
                /** @description Id of the delivery: a repeat carries the same. */
                "X-Service-Delivery": components["parameters"]["DeliveryHeader"];
                /** @description The same id, as Standard Webhooks names it. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When this attempt was signed, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description The signature of Standard Webhooks, keyed with the decoded bytes of the secret. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DigestPayload"] & {
                    /** @constant */
                    event: "digest.sent";
                };
            };
        };
        responses: {
            /** @description Not tried again: the destination is set inactive. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. Any answer of this kind within 15 seconds counts. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: tried again on the schedule. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: tried again on the schedule. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.property.created": {
        parameters: {
            query?: never;
            header: {
                /** @description HMAC-SHA256 over "<timestamp>.<raw body>", hex, sent as t=<unix_seconds>,v1=<hex>, keyed with the whole secret. Refuse a timestamp more than 300 seconds from now. */
                "X-Service-Signature": components["parameters"]["Signature"];
                /** @description Name of the event. */
                "X-Service-Event": components["parameters"]["EventHeader"];
                /** @description Id of the delivery: a repeat carries the same. */
                "X-Service-Delivery": components["parameters"]["DeliveryHeader"];
                /** @description The same id, as Standard Webhooks names it. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When this attempt was signed, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description The signature of Standard Webhooks, keyed with the decoded bytes of the secret. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PropertyPayload"] & {
                    /** @constant */
                    event: "property.created";
                };
            };
        };
        responses: {
            /** @description Not tried again: the destination is set inactive. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. Any answer of this kind within 15 seconds counts. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: tried again on the schedule. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: tried again on the schedule. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.property.updated": {
        parameters: {
            query?: never;
            header: {
                /** @description HMAC-SHA256 over "<timestamp>.<raw body>", hex, sent as t=<unix_seconds>,v1=<hex>, keyed with the whole secret. Refuse a timestamp more than 300 seconds from now. */
                "X-Service-Signature": components["parameters"]["Signature"];
                /** @description Name of the event. */
                "X-Service-Event": components["parameters"]["EventHeader"];
                /** @description Id of the delivery: a repeat carries the same. */
                "X-Service-Delivery": components["parameters"]["DeliveryHeader"];
                /** @description The same id, as Standard Webhooks names it. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When this attempt was signed, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description The signature of Standard Webhooks, keyed with the decoded bytes of the secret. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PropertyPayload"] & {
                    /** @constant */
                    event: "property.updated";
                };
            };
        };
        responses: {
            /** @description Not tried again: the destination is set inactive. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. Any answer of this kind within 15 seconds counts. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: tried again on the schedule. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: tried again on the schedule. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.property.archived": {
        parameters: {
            query?: never;
            header: {
                /** @description HMAC-SHA256 over "<timestamp>.<raw body>", hex, sent as t=<unix_seconds>,v1=<hex>, keyed with the whole secret. Refuse a timestamp more than 300 seconds from now. */
                "X-Service-Signature": components["parameters"]["Signature"];
                /** @description Name of the event. */
                "X-Service-Event": components["parameters"]["EventHeader"];
                /** @description Id of the delivery: a repeat carries the same. */
                "X-Service-Delivery": components["parameters"]["DeliveryHeader"];
                /** @description The same id, as Standard Webhooks names it. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When this attempt was signed, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description The signature of Standard Webhooks, keyed with the decoded bytes of the secret. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PropertyPayload"] & {
                    /** @constant */
                    event: "property.archived";
                };
            };
        };
        responses: {
            /** @description Not tried again: the destination is set inactive. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. Any answer of this kind within 15 seconds counts. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: tried again on the schedule. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: tried again on the schedule. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.report.completed": {
        parameters: {
            query?: never;
            header: {
                /** @description HMAC-SHA256 over "<timestamp>.<raw body>", hex, sent as t=<unix_seconds>,v1=<hex>, keyed with the whole secret. Refuse a timestamp more than 300 seconds from now. */
                "X-Service-Signature": components["parameters"]["Signature"];
                /** @description Name of the event. */
                "X-Service-Event": components["parameters"]["EventHeader"];
                /** @description Id of the delivery: a repeat carries the same. */
                "X-Service-Delivery": components["parameters"]["DeliveryHeader"];
                /** @description The same id, as Standard Webhooks names it. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When this attempt was signed, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description The signature of Standard Webhooks, keyed with the decoded bytes of the secret. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportPayload"] & {
                    /** @constant */
                    event: "report.completed";
                };
            };
        };
        responses: {
            /** @description Not tried again: the destination is set inactive. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. Any answer of this kind within 15 seconds counts. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: tried again on the schedule. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: tried again on the schedule. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.report.pdf_ready": {
        parameters: {
            query?: never;
            header: {
                /** @description HMAC-SHA256 over "<timestamp>.<raw body>", hex, sent as t=<unix_seconds>,v1=<hex>, keyed with the whole secret. Refuse a timestamp more than 300 seconds from now. */
                "X-Service-Signature": components["parameters"]["Signature"];
                /** @description Name of the event. */
                "X-Service-Event": components["parameters"]["EventHeader"];
                /** @description Id of the delivery: a repeat carries the same. */
                "X-Service-Delivery": components["parameters"]["DeliveryHeader"];
                /** @description The same id, as Standard Webhooks names it. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When this attempt was signed, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description The signature of Standard Webhooks, keyed with the decoded bytes of the secret. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportPayload"] & {
                    /** @constant */
                    event: "report.pdf_ready";
                };
            };
        };
        responses: {
            /** @description Not tried again: the destination is set inactive. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. Any answer of this kind within 15 seconds counts. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: tried again on the schedule. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: tried again on the schedule. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.report.failed": {
        parameters: {
            query?: never;
            header: {
                /** @description HMAC-SHA256 over "<timestamp>.<raw body>", hex, sent as t=<unix_seconds>,v1=<hex>, keyed with the whole secret. Refuse a timestamp more than 300 seconds from now. */
                "X-Service-Signature": components["parameters"]["Signature"];
                /** @description Name of the event. */
                "X-Service-Event": components["parameters"]["EventHeader"];
                /** @description Id of the delivery: a repeat carries the same. */
                "X-Service-Delivery": components["parameters"]["DeliveryHeader"];
                /** @description The same id, as Standard Webhooks names it. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When this attempt was signed, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description The signature of Standard Webhooks, keyed with the decoded bytes of the secret. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportPayload"] & {
                    /** @constant */
                    event: "report.failed";
                };
            };
        };
        responses: {
            /** @description Not tried again: the destination is set inactive. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. Any answer of this kind within 15 seconds counts. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: tried again on the schedule. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: tried again on the schedule. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
