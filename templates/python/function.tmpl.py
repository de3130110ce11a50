{{signature}}
    {{doc}}
    {{call}}
